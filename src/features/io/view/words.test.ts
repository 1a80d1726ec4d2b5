import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import { formatDuration } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import { filledIo, requestsOf } from '../../../testing/filled-feeds.ts'
import { generateIo } from '../../../testing/generated/generated-io.ts'
import { NO_FILTER } from '../../../feeds/io/contract/rows.ts'
import { type IoSummaryResponse } from '../../../feeds/io/contract/summary.ts'
import { speedOf } from '../../../feeds/io/contract/speed.ts'
import { cardText, describeOverlaps, describeView, firstNamed, laneName, sizeLines, speedText } from './words.ts'

const data = generateIo({ seed: 3, databases: ['shop'], indexes: 3, seconds: 60, unknownKind: false })
const rows = data.lanes.flatMap((lane) => lane.kinds.map(({ kind }) => ({ lane: lane.id, kind, file: null })))
const request = requestsOf([filledIo(data)])
const summaryOf = (startTicks: Ticks, endTicks: Ticks): Promise<IoSummaryResponse> =>
  request('io.summary', {
    startTicks,
    endTicks,
    rows,
    filter: NO_FILTER,
    slowestLimit: 5,
  })
const range = { startTicks: data.startTicks, endTicks: data.endTicks }
const summary = await summaryOf(range.startTicks, range.endTicks)
const facts = {
  summary,
  range,
  known: null,
  gaps: [],
  sources: ['db:shop', 'server'],
  hidden: 'nothing' as const,
  clock: 'utc' as const,
  manySources: false,
}
const card = (await request('io.card', {
  ref: firstNamed(summary)!,
  sources: ['db:shop', 'server'],
}))!

describe('sentences', () => {
  it('name the slowest journal write first, what ran beside it, and then the slowest of the rest', () => {
    const text = describeView({ ...facts, firstCard: card })
    const slowestOf = (isJournal: boolean): string =>
      formatDuration(
        Math.max(
          ...data.events.flatMap(({ kind, durationTicks }) =>
            (kind === 'JournalWrite') === isJournal ? [durationTicks] : [],
          ),
        ),
      )
    expect(text).toMatch(
      /^Slowest journal write \(commits wait for these\): [\d.]+ (ms|s) on .+ at \d\d:\d\d:\d\d\.\d{3}, \d+ times the median; /,
    )
    expect(text).toContain(`(commits wait for these): ${slowestOf(true)} on`)
    expect(text).toMatch(/\. Slowest other: a (data sync|data flush|compression) of /)
    expect(text).toContain(`of ${slowestOf(false)} on`)
    expect(text).toMatch(/ Most I\/O time: .+ \([\d.]+ % of the view\)\.$/)
  })

  it('name a roll-up in which a slower journal write lies than any that is known by itself', () => {
    const kinds = summary.kinds.map((kind) => ({ ...kind, rollUpMaxTicks: 90 * TICKS_PER_SECOND }))
    const text = describeView({ ...facts, summary: { ...summary, kinds }, firstCard: card })
    expect(text).toContain('A rolled-up one took 1 min 30 s.')
  })

  it('do not say that no commit waited where journal writes are held back', () => {
    const without = {
      ...summary,
      kinds: summary.kinds.filter(({ kind }) => kind !== 'JournalWrite'),
      slowest: summary.slowest.filter(({ kind }) => kind !== 'JournalWrite'),
    }
    const say = (hidden: 'nothing' | 'some' | 'journal-writes'): string =>
      describeView({ ...facts, summary: without, hidden, firstCard: null })
    expect(say('nothing')).toMatch(/^No journal write in view\. Slowest: a data (sync|flush) of /)
    expect(say('some')).toMatch(/^No journal write in view passes the filters\. Slowest: /)
    expect(say('journal-writes')).toMatch(/^Journal writes are filtered out\. Slowest: /)
  })

  it('say that some of the view is not known, and for how long', () => {
    expect(describeView({ ...facts, gaps: data.gaps, firstCard: card })).toContain(
      'Data is missing in this view: 1 gap, the longest 3.60 s.',
    )
    const stalls = data.gaps.map((gap) => ({ ...gap, reason: 'server-unresponsive' as const }))
    const text = describeView({ ...facts, gaps: stalls, firstCard: card })
    expect(text).toContain('The server did not answer for 3.60 s.')
    expect(text).not.toContain('Data is missing')
  })

  it('speak of roll-ups where there are no single events, and of nothing where there is nothing', async () => {
    const early = {
      startTicks: (data.startTicks - 60 * TICKS_PER_SECOND) as Ticks,
      endTicks: (data.startTicks - TICKS_PER_SECOND) as Ticks,
    }
    expect(
      describeView({
        ...facts,
        summary: await summaryOf(early.startTicks, early.endTicks),
        range: early,
        firstCard: null,
      }),
    ).toMatch(/^No single events in view, only \d+ roll-ups of older events/)
    const never = { startTicks: 0 as Ticks, endTicks: TICKS_PER_SECOND as Ticks }
    expect(
      describeView({
        ...facts,
        summary: await summaryOf(never.startTicks, never.endTicks),
        range: never,
        firstCard: null,
      }),
    ).toBe('No I/O in the 1.00 s in view.')
  })

  it('do not call it quiet where nothing is known', () => {
    const known = { startTicks: (range.startTicks + 1) as Ticks, endTicks: range.endTicks }
    const before = { startTicks: 0 as Ticks, endTicks: range.startTicks }
    expect(describeView({ ...facts, known, range: before, firstCard: null })).toContain(
      'before the first data received',
    )
    const after = { startTicks: range.endTicks, endTicks: (range.endTicks + 10) as Ticks }
    expect(describeView({ ...facts, known, range: after, firstCard: null })).toContain('after the newest data received')
  })

  it('name the database where several are watched', () => {
    const event = { ...card, laneLabel: 'Documents', source: 'db:shop' }
    expect(laneName(event, true)).toBe('Documents of shop')
    expect(laneName(event, false)).toBe('Documents')
    expect(laneName({ ...event, source: 'server', laneLabel: 'System' }, true)).toBe('System')
  })

  it('do not make a cause of a coincidence', () => {
    expect(describeOverlaps({ ...card, overlaps: [], overlapCount: 0 })).toBe(
      'No other I/O in the monitored sources overlapped.',
    )
    const two = { ...card, overlaps: [summary.slowest[1]!, summary.slowest[2]!], overlapCount: 2 }
    expect(describeOverlaps(two)).toContain('does not show that one held up the other')
    expect(describeOverlaps({ ...two, overlapCount: 900 })).toContain('900 events, among the longest')
  })

  it('give a card as text with exact start, units and path', () => {
    const text = cardText(card, 'utc')
    expect(text).toMatch(/Start: 2026-11-20 02:1\d:\d\d\.\d{7} UTC/)
    expect(text).toContain('Rank: slowest of ')
    expect(text).toContain(`Path: ${card.path}`)
  })

  it('say no I/O only of what is known', async () => {
    const never = { startTicks: 0 as Ticks, endTicks: TICKS_PER_SECOND as Ticks }
    const empty = {
      ...facts,
      summary: await summaryOf(never.startTicks, never.endTicks),
      range: never,
      firstCard: null,
    }
    const [gap] = data.gaps
    const whole = { ...gap!, startTicks: 0 as Ticks, endTicks: (2 * TICKS_PER_SECOND) as Ticks }
    const both = [whole, { ...whole, source: 'server', reason: 'tab-hidden' as const }]
    expect(describeView({ ...empty, gaps: both })).toBe('No data for this view: connection lost.')
    expect(describeView({ ...empty, gaps: [whole] })).toContain('No I/O in the 1.00 s in view. Data is missing')
  })
})

describe('size and speed', () => {
  const of = (kind: string, sizeBytes: number, durationTicks = TICKS_PER_SECOND / 100) => ({
    kind,
    sizeBytes: sizeBytes as Bytes,
    durationTicks: durationTicks as TickSpan,
  })
  const MIB = 2 ** 20

  it('of a data sync: what it covers, and no speed', () => {
    const sync = of('DataSync', 1200 * MIB)
    expect(speedOf(sync)).toBeNaN()
    expect(sizeLines(sync)).toEqual([['Size', 'covers 1.17 GiB (1,258,291,200 B) flushed since the last sync']])
    expect(cardText({ ...card, ...sync }, 'utc')).not.toMatch(/speed|\/s\b/i)
  })

  it('of a journal write: none below 256 KiB, where its time is latency', () => {
    expect(speedOf(of('JournalWrite', 256 * 1024 - 1))).toBeNaN()
    expect(sizeLines(of('JournalWrite', 65_536))).toEqual([['Size', '64.0 KiB (65,536 B)']])
    expect(sizeLines(of('JournalWrite', MIB))[1]).toEqual(['Write speed', '100 MiB/s'])
    expect(speedOf(of('JournalWrite', MIB, 0))).toBeNaN()
  })

  it('of the others: whose speed it is', () => {
    expect(sizeLines(of('DataFlush', MIB))[1]).toEqual(['Copy speed', '100 MiB/s (page cache)'])
    expect(sizeLines(of('Compression', MIB))[1]).toEqual(['LZ4 speed', '100 MiB/s (CPU)'])
    expect(speedText(of('SomethingNew', MIB))).toBe('—')
  })
})
