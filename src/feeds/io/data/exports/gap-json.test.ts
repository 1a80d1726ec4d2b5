import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bytes } from '../../../../base/brand.ts'
import { JsonBytes } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import { parseTicks, type Ticks } from '../../../../base/ticks.ts'
import { GAP_WORDS } from '../../../../capture/frame/notices/gap-words.ts'
import { GapLog, type NewGap } from '../../../../capture/worker/gap-log.ts'
import type { Gap, GapReason } from '../../../../capture/client/state.ts'
import { everything, exportIo, plainStore, wellFormed } from '../../../../testing/exported.ts'
import { IoFeed } from '../feed.ts'

const FIRST = parseTicks('2026-11-20T04:01:30.0000000Z')
const LANE = 'db:shop|/data/Databases/shop'

const count = fc.option(fc.maxSafeNat())
const anyGap: fc.Arbitrary<NewGap> = fc
  .record({
    lane: fc.constantFrom(LANE, null),
    kind: fc.constantFrom(null, 'JournalWrite', '</script>'),
    reason: fc.constantFrom(...(Object.keys(GAP_WORDS) as GapReason[])),
    after: fc.nat(100_000),
    span: fc.nat(100_000),
    missingCount: count,
    missingBytes: count as fc.Arbitrary<Bytes | null>,
    detail: fc.string({ unit: 'binary', maxLength: 20 }).map(wellFormed),
  })
  .map(({ after, span, ...rest }) =>
    Object.assign(rest, {
      source: 'db:shop',
      startTicks: (FIRST + after) as Ticks,
      endTicks: (FIRST + after + span) as Ticks,
    }),
  )

/** As the host reads a file: gaps that it has afterwards, and complaints. */
function gapsOf(bytes: Uint8Array): { gaps: Gap[]; problems: string[] } {
  const gapLog = new GapLog()
  const problems: string[] = []
  const report = (_at: number, expected: string): void => void problems.push(expected)
  const json = new JsonBytes()
  const walk = new JsonWalk(json, new IoFeed().reader('file:a.json', gapLog, report).rule, report)
  json.feed(bytes)
  json.isLast = true
  walk.run()
  return { gaps: gapLog.snapshot(null), problems }
}

const exported = (gaps: readonly NewGap[]) =>
  exportIo(plainStore(30, 'db:shop'), 'io.json', {
    ...everything('db:shop'),
    gaps: gaps.map((gap, id) => ({ ...gap, id })),
  })

describe('gaps in a file', () => {
  test('come back as they went out, of the file and its environments', async () => {
    const distinct = {
      selector: (gap: NewGap) => [gap.lane, gap.kind, gap.reason, gap.startTicks, gap.endTicks].join(),
    }
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyGap, { maxLength: 6, ...distinct }), async (gaps) => {
        const { bytes } = await exported(gaps)
        const again = gapsOf(bytes)
        expect(again.problems).toEqual([])
        expect(again.gaps).toEqual(
          gaps.map((gap, index) => ({
            ...gap,
            id: index + 1,
            source: 'file:a.json',
            lane: gap.lane === null ? null : 'file:a.json|/data/Databases/shop',
          })),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('of one source among several goes out for each of its environments', async () => {
    const store = plainStore(30, 'db:shop')
    for (const [id, lane] of plainStore(30, 'server').lanes) store.lanes.set(id, lane)
    const [gap] = fc.sample(anyGap, { numRuns: 1, seed: 1 })
    const { text } = await exportIo(store, 'io.json', {
      ...everything('db:shop', 'server'),
      gaps: [{ ...(gap as NewGap), id: 1, lane: null, source: 'server' }],
    })
    const { Gaps } = JSON.parse(text) as { Gaps: { Path: string }[] }
    expect(Gaps.map(({ Path }) => Path)).toEqual(['/data/Databases/shop (Server)'])
  })

  test('are left out and counted where they make no sense', () => {
    const bad = [
      { Reason: 'tired', Start: '2026-11-20T04:01:30Z', End: '2026-11-20T04:01:31Z' },
      { Reason: 'tab-hidden' },
    ]
    const text = JSON.stringify({ Environments: [], Gaps: [...bad, 7] })
    const { gaps, problems } = gapsOf(new TextEncoder().encode(text))
    expect(gaps).toEqual([])
    expect(problems).toHaveLength(3)
  })

  test('more of them than a capture keeps are refused', () => {
    const gap = { Reason: 'tab-hidden', Start: '2026-11-20T04:01:30Z', End: '2026-11-20T04:01:31Z' }
    const Gaps = Array.from({ length: 2002 }, (_, i) => ({ ...gap, Kind: String(i) }))
    const { gaps, problems } = gapsOf(new TextEncoder().encode(JSON.stringify({ Environments: [], Gaps })))
    expect([gaps.length, problems.length]).toEqual([2000, 2])
  })
})
