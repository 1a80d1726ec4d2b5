import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inGate } from '../../../../testing/gate.ts'
import { law } from '../../../../testing/law.ts'
import type { Bytes, CssPx } from '../../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../../base/ticks.ts'
import type { EventBatch } from '../../../../base/columns/event-table.ts'
import type { AxisPiece } from '../../contract/marks.ts'
import type { IoFilter, IoRowRef } from '../../contract/rows.ts'
import { NO_FILTER } from '../../contract/rows.ts'
import { speedOf } from '../../contract/speed.ts'
import { IoStore } from '../table.ts'
import type { IoDocument, IoRollUpRow } from '../reading/wire.ts'
import { IO_COLUMNS } from '../reading/wire.ts'
import { cardResponse } from './card.ts'
import { LaneNames } from './lane-names.ts'
import { LanePages } from './lanes.ts'
import { marksResponse } from './marks.ts'
import { ofDurationResponse } from './of-duration.ts'
import { ofIndexResponse } from './of-index.ts'
import { overviewResponse } from './overview.ts'
import { RowsResponder } from './rows.ts'
import { summaryResponse } from './summary.ts'

interface Event {
  readonly start: number
  readonly duration: number
  readonly size: number
  readonly file: 0 | 1
  readonly lane: 0 | 1
  readonly kind: 0 | 1
}

const LANES = ['/data', '/data/Indexes/Users_ByName']
const KINDS = ['JournalWrite', 'DataSync']
const FILES = ['1.journal', '2.journal']

const batchOf = (events: readonly Event[]): EventBatch => ({
  columns: Array.from({ length: IO_COLUMNS }, (_, column) =>
    Float64Array.from(events, (event) => [event.start, event.duration, event.size, 0, -1, -1, -1][column] as number),
  ),
  length: events.length,
})

const documentOf = (events: readonly Event[], rollUps: readonly IoRollUpRow[] = []): IoDocument => ({
  environments: LANES.map((path, lane) => ({
    path,
    type: lane === 0 ? 'Documents' : 'Index',
    files: FILES.map((name, file) => ({
      name,
      status: 'InUse',
      kinds: KINDS.map((kind, k) => ({
        kind,
        events: batchOf(events.filter((event) => event.lane === lane && event.kind === k && event.file === file)),
        // Only one file of one kind has roll-ups.
        rollUps: lane + file + k === 0 ? rollUps : [],
      })),
    })),
  })),
  problems: { count: 0, first: null },
})

const storeOf = (events: readonly Event[]): IoStore => {
  const store = new IoStore()
  store.ingest('db:a', documentOf(events), true)
  return store
}

const event = fc.record<Event>({
  start: fc.nat({ max: 100_000 }),
  duration: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 30_000 })),
  size: fc.nat({ max: 1 << 20 }),
  file: fc.constantFrom(0, 1),
  lane: fc.constantFrom(0, 1),
  kind: fc.constantFrom(0, 1),
})
const events = fc.array(event, { maxLength: 120 })
const filter = fc.record<IoFilter>({
  minTicks: fc.option(fc.nat({ max: 20_000 })) as fc.Arbitrary<TickSpan | null>,
  maxTicks: fc.option(fc.nat({ max: 30_000 })) as fc.Arbitrary<TickSpan | null>,
  minBytes: fc.option(fc.nat({ max: 1 << 20 })) as fc.Arbitrary<Bytes | null>,
  maxBytes: fc.option(fc.nat({ max: 1 << 20 })) as fc.Arbitrary<Bytes | null>,
})
const rangeOf = fc
  .tuple(fc.nat({ max: 100_000 }), fc.integer({ min: 1, max: 100_000 }))
  .map(([start, span]) => ({ startTicks: start as Ticks, endTicks: (start + span) as Ticks }))

const passes = (event: Event, bounds: IoFilter, file: number | null): boolean =>
  event.duration >= (bounds.minTicks ?? 0) &&
  event.duration <= (bounds.maxTicks ?? Infinity) &&
  event.size >= (bounds.minBytes ?? 0) &&
  event.size <= (bounds.maxBytes ?? Infinity) &&
  (file === null || event.file === file)

const ROWS: IoRowRef[] = LANES.flatMap((path) => KINDS.map((kind) => ({ lane: `db:a|${path}`, kind, file: null })))
const rowEvents = (all: readonly Event[], row: number) =>
  all.filter(({ lane, kind }) => lane === Math.floor(row / 2) && kind === row % 2)
const row = (lane: number, kind: number, file: number | null): IoRowRef => ({
  lane: `db:a|${LANES[lane]}`,
  kind: KINDS[kind]!,
  file,
})

describe('marks', () => {
  law(
    'every event of the view is in exactly one mark, and each mark is the slowest of its pixel',
    [events, filter, rangeOf, fc.integer({ min: 1, max: 300 }), fc.constantFrom(null, 0, 1)],
    (all, bounds, range, width, file) => {
      const pieces: AxisPiece[] = [{ ...range, startPx: 0 as CssPx, endPx: width as CssPx }]
      const response = marksResponse(storeOf(all), { rows: [row(0, 1, file)], pieces, filter: bounds })
      const marks = response.rows[0]!
      const wanted = all.filter((each) => each.lane === 0 && each.kind === 1 && passes(each, bounds, file))
      const inside = wanted.filter(({ start }) => start >= range.startTicks && start < range.endTicks)
      const reaching = wanted.filter(
        ({ start, duration }) => start < range.startTicks && start + duration > range.startTicks,
      )
      expect(marks.count.reduce((sum, count) => sum + count, 0)).toBe(inside.length + reaching.length)
      const ticksPerPx = (range.endTicks - range.startTicks) / width
      const px = (start: number) => Math.floor((start - range.startTicks) / ticksPerPx)
      for (let i = reaching.length; i < marks.length; i++) {
        const pixel = px(marks.startTicks[i]!)
        const mates = inside.filter(({ start }) => px(start) === pixel)
        expect(marks.durationTicks[i]).toBe(Math.max(...mates.map(({ duration }) => duration)))
        expect(marks.largestBytes[i]).toBe(Math.max(...mates.map(({ size }) => size)))
        expect(marks.count[i]).toBe(mates.length)
      }
    },
  )

  test('at most one mark a pixel, whatever the number of events; a planted outlier is drawn at every zoom', () => {
    // A million writes of 0.1 ms, in the gate a fifth of it, and one of 200 ms.
    const many = Array.from({ length: inGate(200_000, 1_000_000) }, (_, i): Event => ({
      start: i * 4000,
      duration: 1000,
      size: 4096,
      file: 0,
      lane: 0,
      kind: 0,
    }))
    const at = 234_567_891
    const store = storeOf([...many, { start: at, duration: 2_000_000, size: 8192, file: 0, lane: 0, kind: 0 }])
    for (let span = 4_000_000_000; span > 100; span /= 2) {
      const start = Math.max(0, at - span / 2)
      const pieces = [
        {
          startTicks: start as Ticks,
          endTicks: (start + span) as Ticks,
          startPx: 0 as CssPx,
          endPx: 800 as CssPx,
        },
      ]
      const marks = marksResponse(store, { rows: [row(0, 0, null)], pieces, filter: NO_FILTER }).rows[0]!
      // Beside those that start in a pixel of their own, those that reach into the view from before it.
      expect(marks.length).toBeLessThanOrEqual(802)
      expect([...marks.durationTicks]).toContain(2_000_000)
    }
  })

  test('a row that the capture does not have is empty', () => {
    const response = marksResponse(storeOf([]), { rows: [row(0, 0, null)], pieces: [], filter: NO_FILTER })
    expect(response.rows).toMatchObject([{ length: 0, rollUps: { length: 0 } }])
  })
})

const rank = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length - 1e-9)) - 1] ?? Number.NaN

describe('summary', () => {
  const rollUp = (startTicks: number, endTicks: number): IoRollUpRow => ({
    startTicks,
    endTicks,
    sizeBytes: 257 * 4096,
    busyTicks: 2570,
    minTicks: 1,
    maxTicks: 500,
  })

  test('rates are of what is known in roll-ups, too, by the share of their time that is in the range', async () => {
    const store = new IoStore()
    const single: Event = { start: 15_000, duration: 40, size: 4096, file: 0, lane: 0, kind: 0 }
    store.ingest('db:a', documentOf([single], [rollUp(0, 10_000), rollUp(20_000, 30_000)]), true)
    const wholeOf = async (startTicks: number, endTicks: number, filter: IoFilter = NO_FILTER) => {
      const params = { rows: ROWS, filter, slowestLimit: 0 }
      const range = { startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
      const { kinds } = await summaryResponse(
        store,
        new LaneNames(),
        { ...params, ...range },
        new AbortController().signal,
      )
      return kinds.find(({ kind }) => kind === KINDS[0])?.whole
    }
    expect(await wholeOf(0, 40_000)).toEqual({ events: 515, bytes: 515 * 4096, busyTicks: 5180, isShare: false })
    // Three quarters of the first one, and a half of the second.
    const part = await wholeOf(2500, 25_000)
    expect(part).toMatchObject({ busyTicks: 40 + 1.25 * 2570, isShare: true })
    expect(part?.events).toBeCloseTo(1 + 1.25 * 257)
    // Which events of a roll-up pass a filter is not known.
    const slow = { ...NO_FILTER, minTicks: 10 as TickSpan }
    expect(await wholeOf(0, 40_000, slow)).toMatchObject({ events: 1, bytes: 4096, busyTicks: 40 })
  })

  law(
    'counts, sums, percentiles and the slowest equal those of a naive reading',
    [events, filter, rangeOf, fc.nat({ max: 12 })],
    { numRuns: 30 },
    async (all, bounds, range, limit) => {
      const response = await summaryResponse(
        storeOf(all),
        new LaneNames(),
        {
          rows: ROWS,
          filter: bounds,
          slowestLimit: limit,
          ...range,
        },
        new AbortController().signal,
      )
      const inside = all.filter(
        (each) => passes(each, bounds, null) && each.start >= range.startTicks && each.start < range.endTicks,
      )
      for (const [k, kind] of KINDS.entries()) {
        const wanted = inside.filter((each) => each.kind === k)
        const durations = wanted.map(({ duration }) => duration)
        const got = response.kinds.find((each) => each.kind === kind)
        const seenOfKind = all.filter(
          (each) =>
            each.kind === k &&
            passes(each, bounds, null) &&
            each.start < range.endTicks &&
            (each.start >= range.startTicks || each.start + each.duration > range.startTicks),
        )
        if (limit > 0)
          expect(got?.slowest?.durationTicks ?? -1).toBe(Math.max(-1, ...seenOfKind.map(({ duration }) => duration)))
        expect(got ?? { count: 0 }).toMatchObject(
          got === undefined
            ? { count: wanted.length }
            : {
                count: wanted.length,
                bytes: wanted.reduce((sum, { size }) => sum + size, 0),
                // Only time in the range.
                busyTicks: seenOfKind.reduce(
                  (sum, { start, duration }) =>
                    sum + Math.min(start + duration, range.endTicks) - Math.max(start, range.startTicks),
                  0,
                ),
                p50Ticks: rank(durations, 0.5),
                p99Ticks: rank(durations, 0.99),
                maxTicks: durations.length === 0 ? Number.NaN : Math.max(...durations),
              },
        )
      }
      const seen = all.filter(
        (each) =>
          passes(each, bounds, null) &&
          each.start < range.endTicks &&
          (each.start >= range.startTicks || each.start + each.duration > range.startTicks),
      )
      expect(response.slowest.map(({ durationTicks }) => durationTicks)).toEqual(
        seen
          .map(({ duration }) => duration)
          .toSorted((a, b) => b - a)
          .slice(0, limit),
      )
    },
  )
})

describe('the event that a figure is', () => {
  law(
    'the first of its kind in the range that took exactly so long, or none',
    [events, filter, rangeOf, fc.nat()],
    { numRuns: 60 },
    async (all, bounds, range, pick) => {
      const few = all.map((each) => ({ ...each, duration: each.duration % 9 }))
      const durationTicks = few.length === 0 ? 3 : few[pick % few.length]!.duration
      const request = { rows: ROWS, filter: bounds, kind: 'JournalWrite', durationTicks, ...range }
      const found = await ofDurationResponse(storeOf(few), new LaneNames(), request, new AbortController().signal)
      const starts = few.flatMap((each) =>
        each.kind === 0 &&
        passes(each, bounds, null) &&
        each.duration === durationTicks &&
        each.start >= range.startTicks &&
        each.start < range.endTicks
          ? [each.start]
          : [],
      )
      expect(found === null ? null : [found.startTicks, found.durationTicks, found.kind]).toEqual(
        starts.length === 0 ? null : [Math.min(...starts), durationTicks, 'JournalWrite'],
      )
    },
  )
})

describe('rows', () => {
  const never = new AbortController().signal
  const key = { start: 'startTicks', duration: 'durationTicks', size: 'sizeBytes' } as const

  law(
    'any order and window equal a naive sort, whether answered at once or from the whole order',
    [
      events,
      filter,
      rangeOf,
      fc.constantFrom('start', 'duration', 'size'),
      fc.boolean(),
      fc.nat({ max: 20 }),
      fc.boolean(),
    ],
    { numRuns: 60 },
    async (all, bounds, range, sort, descending, offset, afterwards) => {
      const answerer = new RowsResponder()
      const store = storeOf(all)
      const request = { rows: ROWS, filter: bounds, sort, descending, ...range } as const
      // A window far away waits for the whole order; the next one is then taken from it.
      if (afterwards) await answerer.response(store, new LaneNames(), { ...request, offset: 1000, limit: 10 }, never)
      const response = await answerer.response(store, new LaneNames(), { ...request, offset, limit: 10 }, never)
      const inside = all.filter(
        (each) => passes(each, bounds, null) && each.start >= range.startTicks && each.start < range.endTicks,
      )
      const keys = inside.map((each) => each[sort]).toSorted((a, b) => (descending ? b - a : a - b))
      expect(response.total).toBe(inside.length)
      expect((await answerer.response(store, new LaneNames(), { ...request, offset, limit: 0 }, never)).total).toBe(
        inside.length,
      )
      expect(response.rows.map((each) => each[key[sort]])).toEqual(keys.slice(offset, offset + 10))
    },
  )

  law(
    'the first window is that of the whole order, equals included',
    [events, fc.constantFrom('start', 'duration', 'size'), fc.boolean()],
    { numRuns: 40 },
    async (all, sort, descending) => {
      const store = storeOf(
        all.map((each) => ({ ...each, duration: each.duration % 7, size: each.size % 5, start: each.start % 50 })),
      )
      const range = { startTicks: 0 as Ticks, endTicks: 100_000 as Ticks }
      const request = { rows: ROWS, filter: NO_FILTER, sort, descending, offset: 0, limit: 40, ...range } as const
      const answerer = new RowsResponder()
      const first = await answerer.response(store, new LaneNames(), request, never)
      await answerer.response(store, new LaneNames(), { ...request, offset: 1000 }, never)
      expect(await answerer.response(store, new LaneNames(), request, never)).toEqual(first)
    },
  )

  test('by speed, what has none comes last in either direction', async () => {
    const all = Array.from({ length: 40 }, (_, i): Event => ({
      start: i,
      duration: 1 + (i % 7),
      size: (i % 4) * 200_000,
      file: 0,
      lane: 0,
      kind: i % 5 === 0 ? 1 : 0,
    }))
    const request = {
      rows: ROWS,
      filter: NO_FILTER,
      startTicks: 0 as Ticks,
      endTicks: 100 as Ticks,
      offset: 0,
      limit: 40,
    }
    for (const descending of [true, false]) {
      const question = { ...request, sort: 'speed' as const, descending }
      const { rows } = await new RowsResponder().response(storeOf(all), new LaneNames(), question, never)
      const speeds = rows.map(speedOf)
      const known = speeds.filter((speed) => !Number.isNaN(speed))
      expect(known.length).toBeGreaterThan(10)
      expect(known.length).toBeLessThan(32)
      expect(speeds.slice(0, known.length)).toEqual(known.toSorted((a, b) => (descending ? b - a : a - b)))
    }
  })

  test('by kind, lane and file the names decide; a dropped request is not answered', async () => {
    const all = Array.from({ length: 40 }, (_, i): Event => ({
      start: i,
      duration: i,
      size: i,
      file: i % 3 === 0 ? 1 : 0,
      lane: i % 2 === 0 ? 1 : 0,
      kind: i % 5 === 0 ? 1 : 0,
    }))
    const store = storeOf(all)
    const request = {
      rows: ROWS,
      filter: NO_FILTER,
      startTicks: 0 as Ticks,
      endTicks: 100 as Ticks,
      descending: false,
      offset: 0,
      limit: 40,
    }
    for (const [sort, column] of [
      ['kind', 'kind'],
      ['lane', 'laneLabel'],
      ['file', 'file'],
    ] as const) {
      const { rows } = await new RowsResponder().response(store, new LaneNames(), { ...request, sort }, never)
      const texts = rows.map((each) => each[column])
      expect(texts).toEqual(texts.toSorted((a, b) => a.localeCompare(b)))
      expect(new Set(texts).size).toBe(2)
    }
    await expect(
      new RowsResponder().response(store, new LaneNames(), { ...request, sort: 'file' }, AbortSignal.abort()),
    ).rejects.toThrow(/abort/i)
  })
})

describe('card', () => {
  law(
    'rank and overlaps equal a naive count',
    [fc.array(event, { minLength: 1, maxLength: 60 }), fc.nat()],
    (all, pick) => {
      const store = storeOf(all)
      const chosen = all[pick % all.length]!
      const ref = {
        lane: `db:a|${LANES[chosen.lane]}`,
        kind: KINDS[chosen.kind]!,
        startTicks: chosen.start as Ticks,
        durationTicks: chosen.duration as TickSpan,
        sizeBytes: chosen.size as Bytes,
      }
      const card = cardResponse(store, new LaneNames(), { ref, sources: ['db:a'] })!
      const same = all.filter(({ kind }) => kind === chosen.kind)
      expect(card.rank).toBe(same.filter(({ duration }) => duration > chosen.duration).length + 1)
      expect(card.rankOf).toBe(same.length)
      const end = chosen.start + Math.max(1, chosen.duration)
      const overlapping = all.filter(
        ({ start, duration }) =>
          (start < end && start >= chosen.start) || (start < chosen.start && start + duration > chosen.start),
      )
      expect(card.overlapCount).toBe(overlapping.length - 1)
      expect(JSON.parse(card.json)).toMatchObject({ Event: { Type: ref.kind, Size: chosen.size } })
    },
  )

  test('an event that is not there has no card', () => {
    const ref = {
      lane: 'db:a|/data',
      kind: 'DataSync',
      startTicks: 5 as Ticks,
      durationTicks: 1 as TickSpan,
      sizeBytes: 0 as Bytes,
    }
    expect(cardResponse(storeOf([]), new LaneNames(), { ref, sources: ['db:a'] })).toBeNull()
  })
})

law('the overview keeps all busy time', [events, fc.integer({ min: 1, max: 200 })], (all, width) => {
  const store = storeOf(all)
  const range = { startTicks: 0 as Ticks, endTicks: 100_001 as Ticks }
  const { kinds } = overviewResponse(store, new LaneNames(), { rows: ROWS, widthPx: width as CssPx, ...range })
  ROWS.forEach((_, i) => {
    const kind = kinds.find((each) => each.kind === KINDS[i % 2])
    const busy = [0, 1]
      .flatMap((lane) => rowEvents(all, lane * 2 + (i % 2)))
      .reduce((sum, { duration }) => sum + duration, 0)
    const share = (kind?.busyShare ?? new Float32Array()).reduce((sum, value) => sum + value, 0)
    expect(share * (100_001 / width)).toBeCloseTo(busy, -2)
  })
})

test('lanes carry real names once they are known, and say when not', () => {
  const store = storeOf([{ start: 1, duration: 1, size: 1, file: 0, lane: 1, kind: 0 }])
  const names = new LaneNames()
  const lanesOf = (source: string) =>
    new LanePages(store, names).response({ sources: [source], find: '', page: 0, openKinds: [] }).lanes
  const index = () => lanesOf('db:a').find(({ type }) => type === 'Index')
  expect(index()).toMatchObject({ label: 'Users_ByName', labelIsReal: false })
  names.setIndexes('db:a', ['Users/ByName'])
  expect(index()).toMatchObject({
    label: 'Users/ByName',
    labelIsReal: true,
    kinds: [{ kind: 'JournalWrite', count: 1 }],
  })
  expect(lanesOf('db:other')).toEqual([])
})

test('idle stretches are those in which no second of the sources saw anything', () => {
  const second = 1e7
  const at = (start: number, duration = 10): Event => ({
    start: start * second,
    duration,
    size: 1,
    file: 0,
    lane: 0,
    kind: 0,
  })
  const store = storeOf([at(0), at(1), at(10, 3 * second), at(60)])
  const idle = (seconds: number, ...sources: string[]): number[] =>
    Array.from(store.activity.idle(seconds * second, sources), (ticks) => ticks / second)
  expect(idle(5, 'db:a')).toEqual([2, 10, 14, 60])
  expect(idle(10, 'db:a')).toEqual([14, 60])
  store.ingest('db:busy', documentOf([at(5), at(40), at(5000)]), true)
  expect(idle(5, 'db:a')).toEqual([2, 10, 14, 60])
  expect(idle(10, 'db:a', 'db:busy')).toEqual([14, 40, 41, 60, 61, 5000])
  expect(idle(5)).toEqual([])
})

describe('the storage of an index', () => {
  const names = new LaneNames()
  const signal = new AbortController().signal
  const request = { source: 'db:a', indexName: 'Users/ByName', widthPx: 300 as CssPx }

  test('law: by its real name, each kind counts the events that start in the range', () =>
    fc.assert(
      fc.asyncProperty(events, rangeOf, async (all, range) => {
        const { kinds } = await ofIndexResponse(storeOf(all), names, { ...request, ...range }, signal)
        for (const [kind, name] of KINDS.entries()) {
          const own = all.filter((each) => each.lane === 1 && each.kind === kind)
          const inside = own.filter(({ start }) => start >= range.startTicks && start < range.endTicks)
          const reported = kinds?.find((each) => each.kind === name)
          expect(reported?.count ?? 0).toBe(inside.length)
          expect(reported?.bytes ?? 0).toBe(inside.reduce((sum, { size }) => sum + size, 0))
          expect(reported?.marks.length ?? 0).toBeLessThanOrEqual(own.length)
        }
      }),
    ))

  test('an index that no storage belongs to is not known, which is not nothing', async () => {
    const range = { startTicks: 0 as Ticks, endTicks: 10 as Ticks }
    const store = storeOf([{ start: 5, duration: 1, size: 1, file: 0, lane: 1, kind: 0 }])
    const of = (indexName: string) => ofIndexResponse(store, names, { ...request, ...range, indexName }, signal)
    expect(await of('Users/ByAge')).toEqual({ kinds: null, sinceTicks: null })
    expect((await of('Users/ByName')).sinceTicks).toBe(5)
    expect((await of('Users_ByName')).kinds).not.toBeNull()
  })
})
