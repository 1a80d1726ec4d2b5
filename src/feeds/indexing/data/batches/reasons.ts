import { REASON_CODES, type ReasonCode, type ReasonWeight, type StopReason } from '../../contract/batches.ts'

interface ReasonRule {
  readonly code: ReasonCode
  readonly weight: ReasonWeight
  /** Beginning of the server's text, or a part that only this text has (`…`). Case-sensitive. */
  readonly prefix?: string
  readonly part?: string
  /** Sentence for the user; `{0}` stands for the first number of the text, as it is written there. */
  readonly words: string
}

/**
 * Rules for stop reasons; the first match applies. "seen": recorded on a server; the others are from the server's
 * public source (`Raven.Server/Documents/Indexes`, stop reasons of map batches). Rules as data, so that a new text is a
 * new line.
 */
export const REASON_RULES: readonly ReasonRule[] = [
  {
    code: 'no-more-documents',
    weight: 'calm',
    prefix: 'No more documents to index',
    words: 'Nothing was left to index.',
  },
  {
    code: 'batch-size',
    weight: 'limit',
    prefix: 'Reached maximum configured map batch size (',
    words: 'The batch reached its configured size of {0} documents.',
  },
  {
    code: 'low-memory',
    weight: 'pressure',
    part: 'because of low memory',
    words: 'The machine was low on memory; the batch was stopped after {0} documents.',
  },
  {
    code: 'too-many-errors',
    weight: 'broken',
    prefix: 'Number of errors (',
    words: '{0} documents failed, which is more than the {1} that a batch may have.',
  },
  {
    code: 'index-disabled',
    weight: 'limit',
    prefix: 'Index was disabled',
    words: 'The index was stopped or disabled by a user.',
  },
  {
    code: 'duration-limit',
    weight: 'limit',
    prefix: 'Exceeded maximum configured map duration (',
    words: 'The batch took as long as a batch may take.',
  },
  {
    code: 'etag-limit',
    weight: 'calm',
    prefix: 'Reached maximum etag that was seen when batch started (',
    words: 'It reached the newest document of the moment at which it began.',
  },
  {
    code: 'pending-flush',
    weight: 'pressure',
    prefix: 'Releasing the transaction because we have a pending flush',
    words: 'It made way for a flush of its storage that was waiting.',
  },
  {
    code: 'flush-waiting',
    weight: 'pressure',
    prefix: 'Environment flush was waiting for us',
    words: 'A flush of its storage had waited for it too long.',
  },
  {
    code: 'cpu-credits',
    weight: 'pressure',
    part: 'because the CPU credits balance is almost completely used',
    words: 'The CPU credits of the machine are nearly used up.',
  },
  {
    code: 'first-batch',
    weight: 'calm',
    prefix: 'Stopping the first batch after ',
    words: 'The first batch of a new index is kept short, so that it has some results early.',
  },
  {
    code: 'transaction-size',
    weight: 'limit',
    prefix: 'Reached transaction size limit (',
    words: 'Its transaction reached the configured size.',
  },
  {
    code: 'managed-limit',
    weight: 'limit',
    prefix: 'Reached managed allocations limit (',
    words: 'It reached the configured limit of managed memory.',
  },
  {
    code: 'unmanaged-limit',
    weight: 'limit',
    prefix: "Reached Corax's unmanaged allocations limit (",
    words: 'Corax reached its configured limit of unmanaged memory.',
  },
  {
    code: 'global-scratch-limit',
    weight: 'pressure',
    prefix: 'Reached global scratch space limit for indexing (',
    words: 'All indexes together reached the limit of scratch space.',
  },
  {
    code: 'scratch-limit',
    weight: 'limit',
    prefix: 'Reached scratch space limit (',
    words: 'It reached the configured limit of scratch space.',
  },
  {
    code: 'no-budget',
    weight: 'pressure',
    prefix: 'Cannot budget additional memory for batch',
    words: 'It asked for more memory, and none was granted.',
  },
  {
    code: 'concurrency-halt',
    weight: 'pressure',
    prefix: 'Halting processing of batch after ',
    words: 'It made way for other indexes: only so many may run at once.',
  },
  { code: 'cancelled', weight: 'limit', prefix: 'Operation canceled', words: 'The work was cancelled.' },
]

const NOT_REPORTED: StopReason = {
  code: 'not-reported',
  weight: 'calm',
  words: 'No reason reported.',
  text: null,
}

const NUMBER = /\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?/g

/**
 * Converts the server's text to a sentence with the numbers of the text. A text without a rule is passed on unchanged.
 */
export function parseReason(text: string | null): StopReason {
  if (text === null || text.trim() === '') return NOT_REPORTED
  const written = text.match(NUMBER)?.slice(0, 16) ?? []
  const rule = REASON_RULES.find(
    ({ prefix, part }) =>
      (prefix !== undefined && text.startsWith(prefix)) || (part !== undefined && text.includes(part)),
  )
  if (rule === undefined) return { code: 'other', weight: 'limit', words: text, text }
  const words = rule.words.replaceAll(/\{(\d)\}/g, (_, at: string) => written[Number(at)] ?? 'some')
  return { code: rule.code, weight: rule.weight, words, text }
}

const FURTHER = '(further reasons)'

/** Maximum number of texts that are stored, so that a hostile server cannot fill the memory. */
const MOST_TEXTS = 100_000

/** Stores reasons and gives each a number. Texts repeat, except for the numbers that they contain. */
export class ReasonTexts {
  readonly #texts: string[] = []
  readonly #parsed: StopReason[] = []
  readonly #ids = new Map<string, number>()
  #byteLength = 0

  /** Id of a text; −1: no reason was reported. */
  intern(text: string | null): number {
    if (text === null) return -1
    const cut = text.length > 1000 ? `${text.slice(0, 1000)}…` : text
    const known = this.#ids.get(cut)
    if (known !== undefined) return known
    if (this.#texts.length >= MOST_TEXTS && cut !== FURTHER) return this.intern(FURTHER)
    const id = this.#texts.length
    this.#texts.push(cut)
    this.#parsed.push(parseReason(cut))
    this.#ids.set(cut, id)
    this.#byteLength += cut.length * 2 + 160
    return id
  }

  get(id: number): StopReason {
    return this.#parsed[id] ?? NOT_REPORTED
  }

  /**
   * Rank for sorting: by code, then by the order in which the texts were first reported; NaN: no reason was reported.
   */
  rank(id: number): number {
    const parsed = this.#parsed[id]
    return parsed === undefined ? Number.NaN : REASON_CODES.indexOf(parsed.code) * MOST_TEXTS + id
  }

  get byteLength(): number {
    return this.#byteLength
  }
}
