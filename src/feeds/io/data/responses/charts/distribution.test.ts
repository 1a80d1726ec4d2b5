import { describe, expect, it } from 'vitest'
import type { Ticks, TickSpan } from '../../../../../base/ticks.ts'
import { filledIo, requestsOf } from '../../../../../testing/filled-feeds.ts'
import { FAKE_START, generateIo } from '../../../../../testing/generated/generated-io.ts'
import { NO_FILTER } from '../../../contract/rows.ts'
import { STEPS_PER_DECADE } from '../../../contract/density.ts'

const data = generateIo({ seed: 5, databases: ['Orders', 'Users'], indexes: 2, seconds: 60, unknownKind: true })
const request = requestsOf([filledIo(data)])
const [source] = data.lanes.map((lane) => lane.source)
const scope = { sources: [source ?? ''], find: '', hiddenKinds: [] }
const ALL = { startTicks: (FAKE_START - 1e12) as Ticks, endTicks: (FAKE_START + 1e12) as Ticks }

describe('the distribution of durations', () => {
  it('counts each event in view once, in the step of its duration', async () => {
    const { first, kinds } = await request('io.distribution', { ...ALL, rows: scope, filter: NO_FILTER })
    const own = data.events.filter((event) => event.source === source)
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual([...new Set(own.map(({ kind }) => kind))].toSorted())
    for (const { kind, counts } of kinds) {
      const durations = own.filter((event) => event.kind === kind).map(({ durationTicks }) => durationTicks)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(durations.length)
      const middle = Math.floor(counts.length / 2)
      const bound = 10 ** ((first + middle) / STEPS_PER_DECADE)
      const below = counts.slice(0, middle).reduce((sum, count) => sum + count, 0)
      expect(below).toBe(durations.filter((ticks) => ticks < bound * (1 - 1e-9)).length)
    }
  })

  it('leaves out what is filtered, hidden or outside of the range', async () => {
    const slow = { ...NO_FILTER, minTicks: 100_000 as TickSpan }
    const found = await request('io.distribution', { ...ALL, rows: scope, filter: slow })
    expect(found.first).toBeGreaterThanOrEqual(5 * STEPS_PER_DECADE)
    const none = { ...ALL, endTicks: (ALL.startTicks + 1) as Ticks, rows: scope, filter: NO_FILTER }
    expect((await request('io.distribution', none)).kinds).toEqual([])
    const hidden = { ...scope, hiddenKinds: ['JournalWrite'] }
    const rest = await request('io.distribution', { ...ALL, rows: hidden, filter: NO_FILTER })
    expect(rest.kinds.some(({ kind }) => kind === 'JournalWrite')).toBe(false)
  })
})
