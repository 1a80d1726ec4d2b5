import { describe, expect, it } from 'vitest'
import type { ActivityEntry, EffectSide } from '../../../actions/client/activity-log.ts'
import type { Gap } from '../../../capture/client/state.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { afterOf, beforeOf, isPartial, SIDE_TICKS, sideWords, verdict } from './effect.ts'

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

describe('the effect of an action', () => {
  it.each([
    [{ batches: 12 }, { batches: 0, medianTicks: null }, 'No batch since.'],
    [{ batches: 0, medianTicks: null }, { batches: 3 }, 'It works: there was no batch before.'],
    [{ batches: 0 }, { batches: 0 }, 'No batch before or after.'],
    [{ batches: 4 }, { batches: 40 }, 'Too few batches to compare their durations.'],
    [{}, { medianTicks: 1_100_000 }, 'The median batch is about as long as before.'],
    [{}, { medianTicks: 3_000_000 }, 'The median batch is 3.0 times as long.'],
    [{}, { medianTicks: 50_000 }, 'The median batch was 20 times as long.'],
  ])('%j against %j: %s', (before, after, words) => {
    expect(verdict(side(before), side(after))).toBe(words)
  })

  it('is measured in equal spans beside it, the second once there is some of it', () => {
    const entry = { startedTicks: 10 * SIDE_TICKS, endedTicks: 11 * SIDE_TICKS } as unknown as ActivityEntry
    expect(beforeOf(entry)).toEqual({ startTicks: 9 * SIDE_TICKS, endTicks: 10 * SIDE_TICKS })
    expect(afterOf(entry, 11 * SIDE_TICKS + TICKS_PER_SECOND)).toBeNull()
    expect(afterOf(entry, 11.5 * SIDE_TICKS)).toEqual({ startTicks: 11 * SIDE_TICKS, endTicks: 11.5 * SIDE_TICKS })
    expect(afterOf(entry, 99 * SIDE_TICKS)?.endTicks).toBe(12 * SIDE_TICKS)
  })

  it('says what of it was not recorded', () => {
    const gap = { source: 'db:a', lane: null, startTicks: 5, endTicks: 6 } as unknown as Gap
    const span = { startTicks: 0, endTicks: 10 }
    expect(isPartial(span, 'db:a|x', [], 0)).toBe(false)
    expect(isPartial(span, 'db:a|x', [], 1)).toBe(true)
    expect(isPartial(span, 'db:a|x', [gap], 0)).toBe(true)
    expect(isPartial(span, 'db:b|x', [gap], 0)).toBe(false)
    expect(isPartial(span, 'db:a|x', [{ ...gap, lane: 'db:a|y' }], 0)).toBe(false)
    expect(sideWords(side({ isPartial: true }))).toBe(
      '10 batches in 5 min, median 100 ms, 100 documents, busy 10.0 % (recorded in part)',
    )
  })
})
