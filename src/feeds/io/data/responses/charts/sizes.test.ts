import { describe, expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../../../base/ticks.ts'
import { filledIo, requestsOf } from '../../../../../testing/filled-feeds.ts'
import { FAKE_START, generateIo } from '../../../../../testing/generated/generated-io.ts'
import { CELLS_PER_DECADE, CELLS_PER_DOUBLING } from '../../../contract/details.ts'
import { NO_FILTER } from '../../../contract/rows.ts'

const data = generateIo({ seed: 12, databases: ['Orders'], indexes: 3, seconds: 60, unknownKind: true })
const request = requestsOf([filledIo(data)])
const rows = { sources: ['db:Orders', 'server'], find: '', hiddenKinds: [] }
const ALL = { startTicks: (FAKE_START - 1e12) as Ticks, endTicks: (FAKE_START + 1e12) as Ticks }

describe('sizes against durations', () => {
  it('count each event in the cell whose bounds hold its size and duration', async () => {
    const { kinds } = await request('io.sizes', { ...ALL, rows, filter: NO_FILTER, slowestLimit: 5 })
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(
      [...new Set(data.events.map(({ kind }) => kind))].toSorted(),
    )
    for (const { kind, size, duration, count } of kinds) {
      const own = data.events.filter((event) => event.kind === kind)
      expect(count.reduce((sum, each) => sum + each, 0)).toBe(own.length)
      for (const [i, events] of count.entries()) {
        const bytes = [size[i]!, size[i]! + 1].map((cell) => 2 ** (cell / CELLS_PER_DOUBLING))
        const ticks = [duration[i]!, duration[i]! + 1].map((cell) => 10 ** (cell / CELLS_PER_DECADE))
        // Bounds are rounded up by a hair, so that a power of two or ten is in its own cell.
        const within = (value: number, [from, to]: number[]) => value >= from! * (1 - 1e-8) && value < to! * (1 - 1e-8)
        expect(own.filter((e) => within(e.sizeBytes, bytes) && within(e.durationTicks, ticks))).toHaveLength(events)
      }
    }
  })

  it('name the slowest single events of each kind', async () => {
    const { kinds } = await request('io.sizes', { ...ALL, rows, filter: NO_FILTER, slowestLimit: 3 })
    for (const { kind, slowest } of kinds) {
      const durations = data.events.filter((event) => event.kind === kind).map(({ durationTicks }) => durationTicks)
      expect(slowest.map(({ durationTicks }) => durationTicks)).toEqual(durations.toSorted((a, b) => b - a).slice(0, 3))
      for (const { lane, startTicks, sizeBytes } of slowest)
        expect(data.events).toContainEqual(expect.objectContaining({ kind, lane, startTicks, sizeBytes }))
    }
  })

  it('leave out what is filtered or outside of the range', async () => {
    const filter = { ...NO_FILTER, minTicks: 100_000 as TickSpan }
    const { kinds } = await request('io.sizes', { ...ALL, rows, filter, slowestLimit: 1 })
    const total = kinds.reduce((all, { count }) => count.reduce((sum, each) => sum + each, all), 0)
    expect(total).toBe(data.events.filter(({ durationTicks }) => durationTicks >= 100_000).length)
    const none = { ...ALL, endTicks: (ALL.startTicks + 1) as Ticks, rows, filter: NO_FILTER, slowestLimit: 1 }
    expect((await request('io.sizes', none)).kinds).toEqual([])
  })
})
