import { describe, expect, test } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../../../base/ticks.ts'
import { tableRowsOf } from '../../../capture/archive/record-rows.ts'
import type { ArchiveRecord } from '../../../capture/archive/records.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { SeriesInfo } from '../../../feeds/server/contract.ts'
import { RecordedServers } from './recorded-servers.ts'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks
const infoOf = (key: string): SeriesInfo | null =>
  key === 'cpu.process'
    ? { key, label: 'CPU', unit: 'percent', group: 'cpu', isVital: true, everyMs: 1000, mount: null }
    : null

function filled(...records: readonly ArchiveRecord[]): RecordedServers {
  const servers = new RecordedServers(infoOf)
  for (const record of records) {
    const rows = tableRowsOf(record)
    if (rows !== null) servers.takeRows(rows, (own: SourceId) => `file:archive/a_8080/${own}`)
  }
  return servers
}

const SOURCES = ['file:archive/a_8080/shop']
const seriesOf = (servers: RecordedServers, from: number, to: number, maxPoints: number) =>
  servers.responses['archive.series']({
    sources: SOURCES,
    keys: ['cpu.process'],
    startTicks: at(from),
    endTicks: at(to),
    maxPoints,
  })

test('changed settings of a recorded server are facts, those that were found at its begin are not', () => {
  const setting = (atSecond: number, kind: 'found' | 'changed', before: string | null, value: string | null) =>
    ({ t: 'setting', key: 'Logs.Level', atTicks: at(atSecond), kind, before, value }) as const
  const servers = filled(setting(0, 'found', null, 'Info'), setting(9, 'changed', 'Info', null))
  const { settings } = servers.responses['archive.facts']({ sources: SOURCES })
  expect(settings).toEqual([{ node: 'a_8080', key: 'Logs.Level', atTicks: at(9), before: 'Info', value: null }])
  expect([...servers.recordsOf(SOURCES)]).toContainEqual(setting(9, 'changed', 'Info', null))
})

test('lines of the log of a recorded server are facts in order of time, once however often their hour is opened', () => {
  const line = (seconds: number, message: string) => {
    const facts = { atTicks: at(seconds), level: 'warn', resource: 'shop', logger: 'Raven.Server', message }
    return { t: 'log', component: '', ...facts } as const
  }
  const servers = filled(line(9, 'two'), line(1, 'one'), line(9, 'two'))
  const { log } = servers.responses['archive.facts']({ sources: SOURCES })
  expect(log.map(({ node, atTicks, message }) => [node, atTicks, message])).toEqual([
    ['a_8080', at(1), 'one'],
    ['a_8080', at(9), 'two'],
  ])
})

describe('figures of a recorded server', () => {
  const vital = (seconds: readonly number[], values: readonly number[]): ArchiveRecord => ({
    t: 'vital',
    key: 'cpu.process',
    ticks: seconds.map(at),
    values,
  })

  test('have the gaps of figures with their reason, and none of a source', () => {
    const gap = (lane: string | null, from: number, to: number): ArchiveRecord => ({
      t: 'gap',
      gap: {
        id: -1,
        source: 'server',
        lane,
        kind: null,
        reason: 'server-unresponsive',
        startTicks: at(from),
        endTicks: at(to),
        missingCount: null,
        missingBytes: null,
        detail: 'Nothing came.',
      },
    })
    const gaps = [
      gap('figures', 2, 9),
      gap('figures', 2, 9),
      gap('figures by database and device', 3, 8),
      gap(null, 4, 5),
    ]
    const servers = filled(vital([0, 1, 10], [1, 2, 3]), ...gaps, gap('figures', 40, 50))
    expect(seriesOf(servers, 0, 20, 100).gaps).toEqual([
      { startTicks: at(2), endTicks: at(9), reason: 'server-unresponsive', detail: 'Nothing came.' },
      { startTicks: at(3), endTicks: at(8), reason: 'server-unresponsive', detail: 'Nothing came.', isOfDetails: true },
    ])
  })

  test('are there by the bucket, whichever hour was opened first and however often', () => {
    const servers = filled(vital([10, 11], [3, 4]), vital([0, 1, 2, 3], [10, 20, 30, 40]), vital([2, 3], [30, 40]))
    const [rows] = seriesOf(servers, 0, 4, 2).series
    expect([...(rows?.mean ?? [])]).toEqual([15, 35])
    expect([...(rows?.max ?? [])]).toEqual([20, 40])
    expect([...(rows?.count ?? [])]).toEqual([2, 2])
    expect(seriesOf(servers, 0, 4, 2).extent, 'of all that is open').toEqual({ startTicks: at(0), endTicks: at(11) })
  })

  test('have an empty bucket where nothing was recorded', () => {
    const [rows] = seriesOf(filled(vital([0, 1, 10], [1, 1, 1])), 0, 12, 12).series
    expect([...(rows?.count ?? [])]).toEqual([1, 1, 0, 1])
  })

  test('of keys that this build does not know are left out, and other servers have none', () => {
    const servers = filled({ t: 'vital', key: 'new.figure', ticks: [at(0)], values: [1] }, vital([0], [1]))
    expect(seriesOf(servers, 0, 1, 1).available.map(({ key }) => key)).toEqual(['cpu.process'])
    const other = { sources: ['file:other/a_8080/shop'], keys: [], startTicks: at(0), endTicks: at(1), maxPoints: 1 }
    expect(servers.responses['archive.series'](other)).toMatchObject({ available: [], extent: null })
  })
})

test('findings, notifications and slow queries of a recorded server are listed once, findings by their start', () => {
  const finding = (id: string, from: number): ArchiveRecord => ({
    t: 'finding',
    id,
    level: 'warning',
    title: `Finding ${id}`,
    startTicks: at(from),
    endTicks: at(from + 60),
    json: '{}',
  })
  const servers = filled(
    finding('late', 60),
    finding('early', 0),
    finding('late', 60),
    { t: 'note', id: 'n', atTicks: at(5), json: JSON.stringify({ id: 'n', title: 'Note', createdTicks: at(5) }) },
    {
      t: 'query',
      id: 'q',
      startTicks: at(1),
      endTicks: at(9),
      json: JSON.stringify({ query: 'from X', lastTicks: at(9) }),
    },
  )
  const facts = servers.responses['archive.facts']({ sources: SOURCES })
  expect(facts.findings.map(({ id, node, endTicks }) => [id, node, endTicks])).toEqual([
    ['early', 'a_8080', at(60)],
    ['late', 'a_8080', at(120)],
  ])
  expect(facts.notifications.map(({ title }) => title)).toEqual(['Note'])
  expect(facts.queries.map(({ query }) => query)).toEqual(['from X'])
  expect(servers.takeRows({ table: 'io', length: 0, columns: {} }, (own) => own)).toBe(false)
})

test('rows that a full list no longer has are counted by their time, each once, and not while they are there', () => {
  const line = (second: number): ArchiveRecord => ({
    t: 'log',
    atTicks: at(second),
    level: 'warn',
    resource: 'Server',
    component: '',
    logger: 'x',
    message: 'y',
  })
  const servers = filled(...Array.from({ length: 5010 }, (_, second) => line(second)))
  const within = (from: number, to: number) =>
    servers.responses['archive.pushedOut']({ sources: SOURCES, range: { startTicks: at(from), endTicks: at(to) } })
  expect(within(0, 6000)).toEqual({
    findings: null,
    notifications: null,
    queries: null,
    settings: null,
    log: { count: 10, firstTicks: at(0), lastTicks: at(9) },
  })
  expect(within(10, 6000).log).toBeNull()
  // A journal that has grown is read once more.
  for (let second = 0; second < 5010; second++)
    servers.takeRows(tableRowsOf(line(second))!, (own: SourceId) => `file:archive/a_8080/${own}`)
  expect(within(0, 6000).log).toEqual({ count: 10, firstTicks: at(0), lastTicks: at(9) })
})
