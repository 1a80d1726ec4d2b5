import { describe, expect, it } from 'vitest'
import type { Ticks } from '../base/brand.ts'
import { TICKS_PER_SECOND } from '../base/ticks.ts'
import type { LowMemoryEvent } from '../features/server/contract.ts'
import { lowMemorySpans } from './stall-source.ts'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const event = (seconds: number, isLow: boolean, isSimulated = false): LowMemoryEvent => ({
  atTicks: at(seconds),
  event: isLow ? 'LowMemHandler' : 'BackToNormal',
  isLow,
  isSimulated,
  freeBytes: null,
  commitBytes: null,
  unmanagedBytes: null,
  dirtyScratchBytes: null,
})
const WITHIN = { startTicks: at(0), endTicks: at(1000) }
const spans = (events: readonly LowMemoryEvent[], startedSeconds = -100) =>
  lowMemorySpans(
    {
      lowMemory: { events: events.toReversed(), thresholdText: null },
      restarts: [{ startTicks: at(startedSeconds), seen: false }],
    },
    WITHIN,
  )

describe('lowMemorySpans', () => {
  it('are from low to normal again; simulated events are none', () => {
    const found = spans([
      event(100, true),
      event(120, true),
      event(200, false),
      event(300, true, true),
      event(900, true),
    ])
    expect(found.present).toEqual([
      { startTicks: at(100), endTicks: at(200) },
      { startTicks: at(900), endTicks: at(940) },
    ])
    expect(found.known).toEqual([{ startTicks: at(0), endTicks: at(940) }])
  })

  it('are known from the start of the process, or from the oldest entry of a full log', () => {
    expect(spans([], 400).known).toEqual([{ startTicks: at(400), endTicks: at(940) }])
    const full = Array.from({ length: 256 }, (_, i) => event(500 + i, i % 2 === 0))
    expect(spans(full).known).toEqual([{ startTicks: at(500), endTicks: at(940) }])
  })

  it('are not known without the log', () => {
    const none = lowMemorySpans({ lowMemory: null, restarts: [{ startTicks: at(0), seen: false }] }, WITHIN)
    expect(none).toEqual({ circumstance: 'low-memory', known: [], present: [] })
  })
})
