import { describe, expect, test } from 'vitest'
import { RECORDED_LINES, recordedText } from '../../../../testing/recorded.ts'
import { REASON_CODES, type ReasonCode } from '../../contract/batches.ts'
import { parseReason, REASON_RULES, ReasonTexts } from './reasons.ts'

/** Texts as servers write them; "(source)" ones are put together as the server's source does. */
const TEXTS: readonly (readonly [ReasonCode, string, RegExp])[] = [
  ['no-more-documents', 'No more documents to index', /Nothing was left/],
  ['batch-size', 'Reached maximum configured map batch size (4,096).', /4,096 documents/],
  [
    'low-memory',
    'The batch was stopped after processing 24,704 documents because of low memory',
    /after 24,704 documents/,
  ],
  [
    'too-many-errors',
    'Number of errors (516) reached maximum number of allowed errors per batch (500)',
    /516 documents failed.*500/,
  ],
  ['index-disabled', 'Index was disabled', /stopped or disabled/],
  ['duration-limit', 'Exceeded maximum configured map duration (00:00:30). Was 00:00:31', /as long/],
  ['etag-limit', 'Reached maximum etag that was seen when batch started (8,478).', /newest document/],
  ['pending-flush', 'Releasing the transaction because we have a pending flush', /flush/],
  ['flush-waiting', 'Environment flush was waiting for us and we reached the limit', /flush/],
  [
    'cpu-credits',
    'Batch in the index was stopped after processing 128 documents because the CPU credits balance is almost completely used',
    /CPU credits/,
  ],
  [
    'first-batch',
    'Stopping the first batch after 1,024 documents to ensure just created index has some results',
    /new index/,
  ],
  ['transaction-size', 'Reached transaction size limit (16 MBytes). Allocated 18.5 MBytes', /transaction/],
  [
    'managed-limit',
    'Reached managed allocations limit (4 MBytes). Allocated 13.58 MBytes in current batch',
    /managed memory/,
  ],
  ['unmanaged-limit', "Reached Corax's unmanaged allocations limit (2 GBytes).", /Corax/],
  ['scratch-limit', 'Reached scratch space limit (2 MBytes). Current scratch space is 64 MBytes', /limit of scratch/],
  ['global-scratch-limit', 'Reached global scratch space limit for indexing (1 GBytes).', /All indexes together/],
  ['no-budget', 'Cannot budget additional memory for batch', /none was granted/],
  ['concurrency-halt', 'Halting processing of batch after 256 and waiting because of maximum indexes', /other indexes/],
  ['cancelled', 'Operation canceled.', /cancelled/],
]

describe('stop reasons', () => {
  test.each(TEXTS)('%s: %s', (code, text, words) => {
    const reason = parseReason(text)
    expect(reason).toMatchObject({ code, text })
    expect(reason.words).toMatch(words)
    expect(reason.words).not.toContain('{')
  })

  test('every rule has its text here', () => {
    expect(new Set(REASON_RULES.map(({ code }) => code))).toEqual(new Set(TEXTS.map(([code]) => code)))
    expect(REASON_CODES).toEqual(expect.arrayContaining(REASON_RULES.map(({ code }) => code)))
  })

  test('a text that no rule knows is passed on as it is; a missing one stays missing', () => {
    expect(parseReason('The moon was full at 12:30')).toMatchObject({
      code: 'other',
      words: 'The moon was full at 12:30',
    })
    expect(parseReason(null)).toMatchObject({ code: 'not-reported', text: null })
    expect(parseReason('  ').code).toBe('not-reported')
  })

  test('every reason that was ever recorded is known', () => {
    const texts = RECORDED_LINES.flatMap((line) =>
      ['map', 'map-reduce', 'low-memory', 'capped-and-lucene'].flatMap((name) =>
        Array.from(
          recordedText(line, `indexes-performance-${name}.json`).matchAll(/"BatchCompleteReason": ?"([^"]*)"/g),
          ([, text]) => text ?? '',
        ),
      ),
    )
    expect(texts.length).toBeGreaterThan(200)
    expect(texts.filter((text) => parseReason(text).code === 'other')).toEqual([])
  })
})

test('texts are kept once, cut where they are absurdly long', () => {
  const texts = new ReasonTexts()
  const id = texts.intern('Index was disabled')
  expect(texts.intern('Index was disabled')).toBe(id)
  expect(texts.intern(null)).toBe(-1)
  expect(texts.get(-1).code).toBe('not-reported')
  expect(texts.get(texts.intern('x'.repeat(10_000))).text).toHaveLength(1001)
})
