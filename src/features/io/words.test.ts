import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../base/brand.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'
import { answerIo } from '../../testing/fake-io-answers.ts'
import { generateIo } from '../../testing/generated-io.ts'
import { NO_FILTER, type IoCard, type IoSummaryAnswer } from './queries.ts'
import { cardText, describeOverlaps, describeView, laneName, speedOf } from './words.ts'

const data = generateIo({ seed: 3, databases: ['shop'], indexes: 3, seconds: 60, unknownKind: false })
const rows = data.lanes.flatMap((lane) => lane.kinds.map(({ kind }) => ({ lane: lane.id, kind, file: null })))
const summaryOf = (startTicks: number, endTicks: number): IoSummaryAnswer =>
  answerIo(data, data.endTicks, 1, 'io.summary', {
    startTicks,
    endTicks,
    rows,
    filter: NO_FILTER,
    slowestLimit: 5,
  }) as IoSummaryAnswer
const range = { startTicks: data.startTicks, endTicks: data.endTicks }
const summary = summaryOf(range.startTicks, range.endTicks)
const facts = { summary, range, known: null, gaps: [], clock: 'utc' as const, manySources: false }
const card = answerIo(data, data.endTicks, 1, 'io.card', {
  ref: summary.slowest[0],
  sources: ['db:shop', 'server'],
}) as IoCard

describe('sentences', () => {
  it('name the slowest event, its place among its kind, and what ran beside it', () => {
    const text = describeView({ ...facts, slowestCard: card })
    expect(text).toMatch(
      /^Slowest: a (data sync|journal write) of [\d.]+ (ms|s) on .+ at \d\d:\d\d:\d\d\.\d{3}, \d+ times the median of its kind; /,
    )
    expect(text).toMatch(/of the wall time\.$/)
  })

  it('say that some of the view is not known, and for how long', () => {
    expect(describeView({ ...facts, gaps: data.gaps, slowestCard: card })).toContain(
      'Not all of this view is known: 1 gap, the longest 3.60 s.',
    )
    const stalls = data.gaps.map((gap) => ({ ...gap, reason: 'server-stalled' as const }))
    const text = describeView({ ...facts, gaps: stalls, slowestCard: card })
    expect(text).toContain('The server did not answer for 3.60 s.')
    expect(text).not.toContain('Not all of this view')
  })

  it('speak of bands where there are no single events, and of nothing where there is nothing', () => {
    const early = {
      startTicks: (data.startTicks - 60 * TICKS_PER_SECOND) as Ticks,
      endTicks: (data.startTicks - TICKS_PER_SECOND) as Ticks,
    }
    expect(
      describeView({ ...facts, summary: summaryOf(early.startTicks, early.endTicks), range: early, slowestCard: null }),
    ).toMatch(/^No single events in view, only \d+ bands that the server had already summed up/)
    const never = { startTicks: 0 as Ticks, endTicks: TICKS_PER_SECOND as Ticks }
    expect(describeView({ ...facts, summary: summaryOf(0, TICKS_PER_SECOND), range: never, slowestCard: null })).toBe(
      'No I/O was seen in the 1.00 s in view.',
    )
  })

  it('do not call it quiet where nothing is known', () => {
    const known = { startTicks: (range.startTicks + 1) as Ticks, endTicks: range.endTicks }
    const before = { startTicks: 0 as Ticks, endTicks: range.startTicks }
    expect(describeView({ ...facts, known, range: before, slowestCard: null })).toContain('before the first thing')
    const after = { startTicks: range.endTicks, endTicks: (range.endTicks + 10) as Ticks }
    expect(describeView({ ...facts, known, range: after, slowestCard: null })).toContain('after the newest')
  })

  it('name the database where several are watched', () => {
    const event = { ...card, laneLabel: 'Documents', source: 'db:shop' }
    expect(laneName(event, true)).toBe('Documents of shop')
    expect(laneName(event, false)).toBe('Documents')
    expect(laneName({ ...event, source: 'server', laneLabel: 'System' }, true)).toBe('System')
  })

  it('do not make a cause of a coincidence', () => {
    expect(describeOverlaps({ ...card, overlaps: [], overlapCount: 0 })).toContain('Nothing else')
    const two = { ...card, overlaps: [summary.slowest[1]!, summary.slowest[2]!], overlapCount: 2 }
    expect(describeOverlaps(two)).toContain('does not show that one held up the other')
    expect(describeOverlaps({ ...two, overlapCount: 900 })).toContain('900 events, among the longest')
  })

  it('give a card as text with exact start, units and path', () => {
    const text = cardText(card, 'utc')
    expect(text).toMatch(/Start: 2026-11-20 02:1\d:\d\d\.\d{7} UTC/)
    expect(text).toContain('Rank: slowest of ')
    expect(text).toContain(`Path: ${card.path}`)
    expect(speedOf({ sizeBytes: 1000, durationTicks: TICKS_PER_SECOND })).toBe(1000)
    expect(speedOf({ sizeBytes: 1000, durationTicks: 0 })).toBeNaN()
  })
})
