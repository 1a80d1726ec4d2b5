import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { LowMemoryEvent } from '../../feeds/server/contract/now.ts'
import { SeriesStore } from '../../feeds/server/data/series.ts'
import { gcSpans, loadSpans, lowMemorySpans } from './stall-circumstances.ts'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const event = (seconds: number, isLow: boolean, isSimulated = false): LowMemoryEvent => ({
  atTicks: at(seconds),
  event: isLow ? 'LowMemHandler' : 'BackToNormal',
  isLow,
  isSimulated,
  freeBytes: null,
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

describe('gcSpans', () => {
  it('are before each report of a pause as long as a stall, and known where collections were reported', () => {
    const series = new SeriesStore()
    const first = 200_000_000
    for (let second = 0; second <= 300; second += 15) {
      series.append('gc.heap', at(first + second), 1)
      series.append('gc.pauseMs', at(first + second), second === 150 ? 400 : 5)
    }
    const { known, present } = gcSpans({ series }, { startTicks: at(first), endTicks: at(first + 600) })
    expect(present).toHaveLength(1)
    const [{ startTicks, endTicks }] = present as [(typeof present)[0]]
    expect(startTicks).toBeLessThanOrEqual(at(first + 132))
    expect(endTicks).toBeGreaterThan(at(first + 150))
    expect(endTicks).toBeLessThanOrEqual(at(first + 160))
    expect(known.some((span) => span.endTicks > at(first + 320))).toBe(false)
    expect(gcSpans({ series: new SeriesStore() }, WITHIN)).toMatchObject({ known: [], present: [] })
  })
})

describe('loadSpans', () => {
  it('are before a database was seen loaded; of unloads there are none', () => {
    const change = (seconds: number, of: 'loaded' | 'unloaded') => ({ name: 'a', atTicks: at(seconds), change: of })
    const seen = { startTicks: at(50), endTicks: at(900), reason: 'not-watched', detail: '' } as const
    const found = loadSpans(
      {
        coverage: { spans: [seen] },
        databases: { changesSince: () => [change(300, 'loaded'), change(200, 'unloaded')] },
      },
      WITHIN,
    )
    expect(found.known).toEqual([seen])
    expect(found.present).toEqual([{ startTicks: at(290), endTicks: at(300) }])
  })
})
