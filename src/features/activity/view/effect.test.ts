import { describe, expect, it } from 'vitest'
import type { ActivityEntry, EffectSide } from '../../../actions/client/activity-entry.ts'
import type { Estimate } from '../../../base/statistics/estimate.ts'
import type { Gap } from '../../../capture/client/state.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import {
  type Between,
  afterOf,
  beforeOf,
  betweenOthers,
  fromFirst,
  fuller,
  furtherAfter,
  isBeforeOpen,
  isPartial,
  isRebuildOpen,
  rebuildOf,
  rebuildWords,
  SIDE_TICKS,
  sideWords,
  verdict,
} from './effect.ts'

const side = (parts: Partial<EffectSide>): EffectSide => ({
  startTicks: 0,
  endTicks: SIDE_TICKS,
  batches: 10,
  documents: 100,
  medianTicks: 1_000_000,
  busyShare: 0.1,
  isPartial: false,
  ...parts,
})

const around = (value: number): Estimate => ({
  value,
  low: value / 1.1,
  high: value * 1.1,
  lowest: value / 1.2,
  highest: value * 1.2,
})
const unbounded = (value: number): Estimate => ({ value, low: 0, high: null, lowest: 0, highest: null })

const ALONE: Between = { fromTicks: Number.NEGATIVE_INFINITY, untilTicks: Number.POSITIVE_INFINITY }

describe('the effect of an action', () => {
  it.each([
    [{ batches: 12 }, { batches: 0, medianTicks: null }, 'No batch after it.'],
    [{ batches: 0, medianTicks: null }, { batches: 3 }, 'It works: there was no batch before.'],
    [{ batches: 0 }, { batches: 0 }, 'No batch before or after.'],
    [{}, { batches: 0, isPartial: true }, 'No batch was recorded after it.'],
    [{ batches: 0, isPartial: true }, {}, 'It works: no batch was recorded before.'],
    [{ batches: 0, isPartial: true }, { batches: 0 }, 'No batch was recorded before or after.'],
    [{}, { median: around(3_000_000) }, 'Too few batches to compare their durations.'],
    [{ median: around(1_000_000) }, { median: unbounded(3_000_000) }, 'Too few batches to compare their durations.'],
    [
      { median: around(1_000_000) },
      { median: around(1_100_000) },
      'Too few batches to tell (a change below 1.4 times would not show).',
    ],
    [
      { median: around(1_000_000) },
      { median: around(3_000_000) },
      'The median batch takes 3.0 times as long now, at least 2.3 times.',
    ],
    [
      { median: around(1_000_000) },
      { median: around(50_000) },
      'The median batch took 20 times as long before, at least 15 times.',
    ],
  ])('%j against %j: %s', (before, after, words) => {
    expect(verdict(side(before), side(after))).toBe(words)
  })

  it('is measured in equal spans beside it, the second once there is some of it', () => {
    const entry = { startedTicks: 10 * SIDE_TICKS, endedTicks: 11 * SIDE_TICKS } as unknown as ActivityEntry
    expect(beforeOf(entry, ALONE)).toEqual({ startTicks: 9 * SIDE_TICKS, endTicks: 10 * SIDE_TICKS })
    expect(afterOf(entry, 11 * SIDE_TICKS + TICKS_PER_SECOND, ALONE)).toBeNull()
    // The clock of the server is known to some seconds: what was before must not be counted as after.
    const startTicks = 11 * SIDE_TICKS + 3 * TICKS_PER_SECOND
    expect(afterOf(entry, 11.5 * SIDE_TICKS, ALONE)).toMatchObject({ startTicks, endTicks: 11.5 * SIDE_TICKS })
    expect(afterOf(entry, 99 * SIDE_TICKS, ALONE)?.endTicks).toBe(startTicks + SIDE_TICKS)
  })

  it('ends where the next action on the same thing begins, and what was before begins where the last one ended', () => {
    const second = (seconds: number): number => (1000 + seconds) * TICKS_PER_SECOND
    const entry = (id: string, seconds: number, name: string | null, parts: Partial<ActivityEntry> = {}) =>
      ({
        id,
        server: 'A',
        call: { action: '', target: { kind: 'index', database: 'demo', name }, inputs: {}, facts: {} },
        state: 'done',
        startedTicks: second(seconds),
        endedTicks: second(seconds + 1),
        ...parts,
      }) as unknown as ActivityEntry
    const pause = entry('pause', 0, 'ByName')
    const resume = entry('resume', 30, 'ByName')
    const all = [resume, pause, entry('other', 10, 'Other'), entry('same', 12, 'ByName', { state: 'nothing' })]
    const ofPause = betweenOthers(pause, all)
    expect(afterOf(pause, second(25), ofPause)).toMatchObject({ startTicks: second(4), endTicks: second(25) })
    expect(afterOf(pause, second(99), ofPause)).toEqual({
      startTicks: second(4),
      endTicks: second(27),
      isComplete: true,
    })
    expect(beforeOf(resume, betweenOthers(resume, all))).toEqual({ startTicks: second(4), endTicks: second(30) })
    // All indexes were resumed at once, too shortly after to say anything.
    expect(afterOf(pause, second(99), betweenOthers(pause, [entry('all', 9, null), ...all]))).toBeNull()
    const [long, cut] = [side({ endTicks: 40, batches: 17 }), side({ endTicks: 27, batches: 0 })]
    expect(furtherAfter(long, cut)).toBe(cut)
  })

  it('begins with the first batch that was recorded, where that is later', () => {
    const span = { startTicks: 10, endTicks: 20 }
    expect([5, 12, 20, Number.NaN, null].map((first) => fromFirst(span, first).startTicks)).toEqual([
      10, 12, 10, 10, 10,
    ])
  })

  it('is measured again while batches of before may still come, and never forgets any', () => {
    const entry = (before: EffectSide | null | undefined) => ({ startedTicks: SIDE_TICKS, before }) as ActivityEntry
    const after = (seconds: number): number => SIDE_TICKS + seconds * TICKS_PER_SECOND
    expect(isBeforeOpen(entry(undefined), null)).toBe(true)
    expect([after(5), after(59), after(61)].map((now) => isBeforeOpen(entry(null), now))).toEqual([true, true, false])
    const [none, some, more] = [side({ batches: 0 }), side({ batches: 3 }), side({ batches: 4 })]
    expect([fuller(undefined, none), fuller(none, some), fuller(some, more)]).toEqual([none, some, more])
    expect([fuller(some, none), fuller(some, null), fuller(null, null)]).toEqual([some, some, null])
  })

  it('keeps what was recorded after an action when the page is reloaded', () => {
    const [short, long] = [side({ endTicks: 10 }), side({ endTicks: 20, batches: 12 })]
    expect(furtherAfter(undefined, short)).toBe(short)
    expect(furtherAfter(short, long)).toBe(long)
    // Nothing is recorded yet, or only what came since.
    expect(furtherAfter(short, null)).toBe(short)
    expect(furtherAfter(short, side({ endTicks: 20, batches: 12, isPartial: true }))).toBe(short)
    const partial = side({ isPartial: true })
    expect(furtherAfter(partial, long)).toBe(long)
  })

  describe('of a reset', () => {
    const reset = (action: string, parts: Partial<ActivityEntry> = {}): ActivityEntry =>
      ({
        call: { action, target: { kind: 'index', database: 'shop', name: 'Orders' }, inputs: {}, facts: {} },
        state: 'done',
        startedTicks: 100,
        endedTicks: 40 * TICKS_PER_SECOND,
        ...parts,
      }) as unknown as ActivityEntry
    const made = '2020-01-01T00:00:10.0000000Z'
    const endTicks = 43 * TICKS_PER_SECOND

    it('is what was built from the time that the server has created it to the end', () => {
      expect(rebuildOf(reset('index.reset', { made }))).toEqual({
        index: 'db:shop|Orders',
        span: { startTicks: 10 * TICKS_PER_SECOND, endTicks },
      })
      expect(rebuildOf(reset('index.reset-side-by-side'))).toEqual({
        index: 'db:shop|ReplacementOf/Orders',
        span: { startTicks: 100, endTicks },
      })
      expect(rebuildOf(reset('index.reset', { endedTicks: null }))).toBeNull()
      expect(rebuildOf(reset('index.pause'))).toBeNull()
    })

    it('is measured again while batches of it may still come', () => {
      const after = (seconds: number): number => (40 + seconds) * TICKS_PER_SECOND
      expect(isRebuildOpen(reset('index.reset'), null)).toBe(true)
      const known = reset('index.reset', { rebuild: null })
      expect([after(5), after(59), after(61)].map((now) => isRebuildOpen(known, now))).toEqual([true, true, false])
      expect(isRebuildOpen(reset('index.reset', { state: 'running', endedTicks: null }), after(5))).toBe(false)
    })

    it('says how many batches and documents it took, and of none nothing but that', () => {
      const rebuild = side({ endTicks: 7 * TICKS_PER_SECOND, batches: 2, documents: 800, busyShare: 0.4 })
      expect(rebuildWords(rebuild)).toBe('2 batches in 4.00 s, median 100 ms, 800 documents, busy 70.0 %')
      expect(rebuildWords(side({ batches: 0 }))).toBe('No batch of it was recorded.')
      // A batch that goes on has not ended.
      expect(sideWords(side({ batches: 0, documents: 0, busyShare: 0 }))).toBe('0 batches in 5 min')
    })
  })

  it('says what of it was not recorded', () => {
    const gap = { source: 'db:a', lane: 'indexes:db:a', kind: null, startTicks: 5, endTicks: 6 } as unknown as Gap
    const span = { startTicks: 0, endTicks: 10 }
    expect(isPartial(span, 'db:a|x', [], 0)).toBe(false)
    expect(isPartial(span, 'db:a|x', [], 1)).toBe(true)
    expect(isPartial(span, 'db:a|x', [gap], 0)).toBe(true)
    expect(isPartial(span, 'db:b|x', [gap], 0)).toBe(false)
    expect(isPartial(span, 'db:a|x', [{ ...gap, lane: 'db:a|x' }], 0)).toBe(true)
    expect(isPartial(span, 'db:a|x', [{ ...gap, lane: 'db:a|y' }], 0)).toBe(false)
    expect(isPartial(span, 'db:a|x', [{ ...gap, lane: null }], 0), 'a gap of I/O').toBe(false)
    expect(sideWords(side({ isPartial: true }))).toBe(
      '10 batches in 5 min, median 100 ms, 100 documents, busy 10.0 % (recorded in part)',
    )
  })
})
