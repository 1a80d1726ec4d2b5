import { afterEach, expect, test, vi } from 'vitest'
import { EventTable } from '../../../base/columns/event-table.ts'
import { formatTicks, parseTicks } from '../../../base/ticks.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { readDocument } from '../../../capture/reading/document.ts'
import { inGate } from '../../../testing/gate.ts'
import { IoFeed } from './feed.ts'
import { FOLDED_FILE, FOLDED_KIND, FOLDED_PATH, IO_LIMITS } from '../contract/limits.ts'
import type { IoScope } from '../contract/rows.ts'

const LIMITS = { ...IO_LIMITS }
afterEach(() => void Object.assign(IO_LIMITS, LIMITS))

const startTicks = parseTicks('2026-11-20T04:00:00Z')
const at = (tick: number): string => formatTicks((startTicks + tick) as typeof startTicks)

interface Event {
  readonly tick: number
  readonly size?: number
  readonly kind?: string
}

const file = (name: string, events: readonly Event[], history: readonly object[] = []) => ({
  File: name,
  Status: 'InUse',
  Recent: events.map(({ tick, size = 4096, kind = 'JournalWrite' }) => ({
    Start: at(tick),
    Size: size,
    FileSize: 65_536,
    Duration: 1,
    Type: kind,
  })),
  History: history,
})
const environment = (path: string, files: readonly object[]) => ({ Path: path, Type: 'Index', Files: files })

async function read(feed: IoFeed, environments: readonly object[]): Promise<void> {
  await readDocument(new TextEncoder().encode(JSON.stringify({ Environments: environments })), {
    choose: () => feed.reader('file:a', new GapLog(), (_, expected) => expect.unreachable(expected)),
    mismatch: (_, expected) => expect.unreachable(expected),
    progress: () => undefined,
    signal: new AbortController().signal,
    turn: () => Promise.resolve(),
    now: () => 0,
  })
}

const totals = (feed: IoFeed) =>
  feed.summary().reduce(
    (sum, { count, bytes, rollUps }) => ({
      count: sum.count + count,
      bytes: sum.bytes + bytes,
      rolledUp: sum.rolledUp + rollUps.bytes,
    }),
    { count: 0, bytes: 0, rolledUp: 0 },
  )

const lanesOf = (feed: IoFeed, page = 0) =>
  feed.responses['io.lanes']({ sources: ['file:a'], find: '', page, openKinds: [] })

const ENVIRONMENTS = inGate(1200, 5000)

test('environments beyond the limit are one lane, and every event of them counts, though they are all alike', async () => {
  IO_LIMITS.lanes = 10
  const feed = new IoFeed()
  const environments = Array.from({ length: ENVIRONMENTS }, (_, i) =>
    environment(`/data/Indexes/Index_${i}`, [file('1.journal', [{ tick: 0 }, { tick: 0 }, { tick: 10 }])]),
  )
  await read(feed, environments)
  expect(totals(feed)).toEqual({ count: 3 * ENVIRONMENTS, bytes: 3 * ENVIRONMENTS * 4096, rolledUp: 0 })
  const response = lanesOf(feed)
  expect(response).toMatchObject({
    all: 11,
    folded: { environments: ENVIRONMENTS - 10, kinds: 0, files: false, rollUps: 0 },
  })
  expect(response.lanes.at(-1)).toMatchObject({
    label: `${(ENVIRONMENTS - 10).toLocaleString('en-US')} further environments`,
    path: FOLDED_PATH,
  })
  expect(response.kinds).toEqual([{ kind: 'JournalWrite', count: 3 * ENVIRONMENTS }])
  expect(feed.store.lanes.size).toBe(11)

  // The same once more, and one of them with a new event: what is known is recognised.
  await read(feed, environments)
  await read(feed, [environment('/data/Indexes/Index_1000', [file('1.journal', [{ tick: 10 }, { tick: 20 }])])])
  expect(totals(feed).count).toBe(3 * ENVIRONMENTS + 1)
})

test('a roll-up of a folded environment counts only what was not seen of it', async () => {
  IO_LIMITS.lanes = 1
  const feed = new IoFeed()
  const fold = {
    Start: at(0),
    End: at(10_010_000),
    Size: 3 * 4096,
    ActiveDuration: 3,
    MinDuration: 1,
    MaxDuration: 1,
    Type: 'JournalWrite',
  }
  const events = [{ tick: 0 }, { tick: 10_000_000 }]
  await read(feed, [environment('/a', [file('1.journal', [])]), environment('/b', [file('1.journal', events)])])
  await read(feed, [environment('/b', [file('1.journal', [], [fold])])])
  expect(totals(feed)).toEqual({ count: 2, bytes: 2 * 4096, rolledUp: 4096 })
  // Another environment's roll-up of the same span has nothing to do with what was seen of the first.
  await read(feed, [environment('/c', [file('1.journal', [], [fold])])])
  expect(totals(feed).rolledUp).toBe(4 * 4096)
})

const rollUp = (startTick: number, endTick: number, events = 257) => ({
  Start: at(startTick),
  End: at(endTick),
  Size: events * 4096,
  ActiveDuration: events,
  MinDuration: 1,
  MaxDuration: 1,
  Type: 'JournalWrite',
})

test('roll-ups beyond the limit are one of their lane and kind, and every one of them counts once', async () => {
  IO_LIMITS.rollUps = 10
  const feed = new IoFeed()
  // The newest first, as no server does.
  const history = Array.from({ length: 5000 }, (_, i) => rollUp(1_000_000 - 100 * i, 1_000_050 - 100 * i))
  for (let turn = 0; turn < 2; turn++) await read(feed, [environment('/a', [file('1.journal', [], history)])])
  const sums = totals(feed)
  expect(sums).toEqual({ count: 0, bytes: 0, rolledUp: 5000 * 257 * 4096 })
  expect(lanesOf(feed).folded).toMatchObject({ rollUps: 4990 })
  const rows = [...feed.store.lanes.values()].flatMap(({ tracks }) => [...tracks.values()][0]!.rollUps.rows)
  expect(rows).toHaveLength(11)
  expect(rows.map((row) => row.startTicks)).toEqual(rows.map((row) => row.startTicks).toSorted((a, b) => a - b))
})

const COUNT = inGate(2000, 8000)

test('roll-ups that all span all events are read with work in proportion to the file', async () => {
  const reads = async (count: number): Promise<number> => {
    const feed = new IoFeed()
    const events = Array.from({ length: count }, (_, i) => ({ tick: i }))
    const history = Array.from({ length: count }, (_, i) => rollUp(0, 1_000_000 + i))
    const scan = vi.spyOn(EventTable.prototype, 'forEachPart')
    await read(feed, [environment('/a', [file('1.journal', events, history)])])
    const rows = scan.mock.calls.reduce((sum, [first, end]) => sum + end - first, 0)
    scan.mockRestore()
    return rows
  }
  expect(await reads(2 * COUNT)).toBeLessThanOrEqual(2.2 * (await reads(COUNT)))
})

test('kinds beyond the limit are one kind, whose events all count', async () => {
  IO_LIMITS.kinds = 8
  const feed = new IoFeed()
  const events = Array.from({ length: 1000 }, (_, i) => ({ tick: 0, kind: `Kind${i}` }))
  await read(feed, [environment('/a', [file('1.journal', events)])])
  expect(totals(feed).count).toBe(1000)
  const response = lanesOf(feed)
  expect(response.folded).toMatchObject({ environments: 0, kinds: 996 })
  expect(response.kinds.find(({ kind }) => kind === FOLDED_KIND)).toEqual({ kind: FOLDED_KIND, count: 996 })
  await read(feed, [environment('/a', [file('1.journal', events)])])
  expect(totals(feed).count).toBe(1000)
})

test('files beyond the limit have no names, and their events count and are found as one file', async () => {
  IO_LIMITS.files = 5
  const feed = new IoFeed()
  const files = Array.from({ length: 100 }, (_, i) => file(`${i}.journal`, [{ tick: i % 7 }]))
  await read(feed, [environment('/a', files)])
  await read(feed, [environment('/a', files)])
  expect(totals(feed).count).toBe(100)
  const [lane] = feed.store.lanes.values()
  const kind = { lane: lane!.id, kind: 'JournalWrite' }
  const { lanes, folded } = feed.responses['io.lanes']({ sources: ['file:a'], find: '', page: 0, openKinds: [kind] })
  expect(folded.files).toBe(true)
  expect(lanes[0]!.files.map(({ name }) => name)).toEqual([
    ...lanes[0]!.files.slice(0, 5).map((f) => f.name),
    '(further files)',
  ])
  const pieces = [{ startTicks, endTicks: startTicks + 100, startPx: 0, endPx: 100 }] as never
  const { rows } = feed.responses['io.marks']({
    rows: [{ ...kind, file: FOLDED_FILE }],
    pieces,
    filter: { minTicks: null, maxTicks: null, minBytes: null, maxBytes: null },
  })
  expect(rows[0]!.count.reduce((sum, count) => sum + count, 0)).toBe(95)
})

test('lanes come in pages, by name, and a lane is found on its page', async () => {
  const feed = new IoFeed()
  const environments = Array.from({ length: 1203 }, (_, i) =>
    environment(`/data/Indexes/Index_${1202 - i}`, [file('1.journal', [{ tick: i }])]),
  )
  await read(feed, environments)
  const last = lanesOf(feed, 99)
  expect(last).toMatchObject({ page: 2, matching: 1203, all: 1203 })
  expect(last.lanes.map(({ label }) => label)).toEqual(Array.from({ length: 203 }, (_, i) => `Index_${1000 + i}`))
  expect(feed.responses['io.pageOf']({ sources: ['file:a'], find: '', lane: 'file:a|/data/Indexes/Index_700' })).toBe(1)
  const found = feed.responses['io.lanes']({ sources: ['file:a'], find: 'x_120', page: 2, openKinds: [] })
  expect(found.lanes.map(({ label }) => label)).toEqual(['Index_120', 'Index_1200', 'Index_1201', 'Index_1202'])
})

test('sums are of all pages', async () => {
  const feed = new IoFeed()
  await read(
    feed,
    Array.from({ length: 900 }, (_, i) => environment(`/data/Indexes/Index_${i}`, [file('1.journal', [{ tick: i }])])),
  )
  const rows: IoScope = { sources: ['file:a'], find: '', hiddenKinds: [] }
  const summary = await feed.responses['io.summary'](
    {
      startTicks,
      endTicks: (startTicks + 10_000) as typeof startTicks,
      rows,
      filter: { minTicks: null, maxTicks: null, minBytes: null, maxBytes: null },
      slowestLimit: 5,
    },
    undefined as never,
    new AbortController().signal,
  )
  expect(summary.kinds).toMatchObject([{ kind: 'JournalWrite', count: 900, bytes: 900 * 4096 }])
  expect(summary.slowest).toHaveLength(5)
})
