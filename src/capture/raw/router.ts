import type { RawSource } from '../reading/files.ts'
import { RawDocument } from './document.ts'
import type { RawQueries, RawRef } from './queries.ts'

/** Documents that are held at once: the one in sight, and those one comes back to. */
const MAX_DOCUMENTS = 3

type Answers = {
  readonly [Name in keyof RawQueries]: (
    document: RawDocument,
    ask: RawQueries[Name]['ask'],
    signal: AbortSignal,
  ) => RawQueries[Name]['answer'] | Promise<RawQueries[Name]['answer']>
}

const ANSWERS: Omit<Answers, 'raw.leave' | 'raw.stop' | 'raw.endSearch'> = {
  'raw.status': (document) => document.status(),
  'raw.rows': (document, ask) => document.rows(ask),
  'raw.rowOf': (document, ask) => document.rowOf(ask.at),
  'raw.children': (document, ask, signal) => document.children(ask, signal),
  'raw.path': (document, ask, signal) => document.path(ask.at, signal),
  'raw.value': (document, ask, signal) => document.value(ask, signal),
  'raw.search': (document, ask) => document.search(ask.find),
  'raw.hit': (document, ask) => document.hit(ask),
}

/** What ends something does not open the document that it is about. */
const ENDINGS: Readonly<Record<string, (document: RawDocument) => void>> = {
  'raw.leave': (document) => document.stop(),
  'raw.stop': (document) => document.stop(),
  'raw.endSearch': (document) => document.endSearch(),
}

/** Answers what the raw viewer asks. A document is opened by the first request about it, and released without further requests. */
export class RawRouter {
  readonly #source: (file: number, entry: string | null) => Promise<RawSource>
  /** Least recently asked for first. */
  readonly #documents = new Map<string, RawDocument>()

  constructor(source: (file: number, entry: string | null) => Promise<RawSource>) {
    this.#source = source
  }

  answer(name: string, query: unknown, signal: AbortSignal): unknown {
    const ref = query as RawRef
    const key = JSON.stringify([ref.file, ref.entry])
    if (Object.hasOwn(ENDINGS, name)) {
      const document = this.#documents.get(key)
      if (document !== undefined) ENDINGS[name]?.(document)
      if (name === 'raw.leave') this.#documents.delete(key)
      return null
    }
    if (!Object.hasOwn(ANSWERS, name)) throw new Error(`Nothing answers ${name}.`)
    const answer = ANSWERS[name as keyof typeof ANSWERS] as (
      document: RawDocument,
      ask: unknown,
      s: AbortSignal,
    ) => unknown
    return answer(this.#document(key, ref), query, signal)
  }

  #document(key: string, ref: RawRef): RawDocument {
    const document = this.#documents.get(key) ?? new RawDocument(() => this.#source(ref.file, ref.entry))
    this.#documents.delete(key)
    this.#documents.set(key, document)
    for (const [oldest, left] of this.#documents) {
      if (this.#documents.size <= MAX_DOCUMENTS) break
      left.stop()
      this.#documents.delete(oldest)
    }
    return document
  }
}
