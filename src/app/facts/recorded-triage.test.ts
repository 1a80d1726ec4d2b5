import { expect, test } from 'vitest'
import { formatTicks, parseTicks, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import { tableRowsOf } from '../../capture/archive/record-rows.ts'
import type { ArchiveRecord } from '../../capture/archive/records.ts'
import type { RecordedTriage } from '../../features/archive/contract.ts'
import { RecordedServers } from '../../features/archive/data/recorded-servers.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { readIo } from '../../feeds/io/data/reading/decode.ts'
import { seriesInfo } from '../../feeds/server/data/series.ts'
import { bytesOf } from '../../testing/bytes-of.ts'
import { RecordedTriageJudge, recordedLink } from './recorded-triage.ts'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks
const SHOP = 'file:nightly/a_8080/shop'
const SOURCES = [SHOP, 'file:nightly/a_8080/server']

const vitals = (key: string, from: number, to: number, value: number): ArchiveRecord => {
  const seconds = Array.from({ length: to - from }, (_, i) => from + i)
  return { t: 'vital', key, ticks: seconds.map(at), values: seconds.map(() => value) }
}

const finding = (id: string, from: number, to: number): ArchiveRecord => ({
  t: 'finding',
  id: `${id} ${String(at(from))}`,
  level: 'warning',
  title: `${id} was found.`,
  startTicks: at(from),
  endTicks: at(to),
  json: JSON.stringify({ rule: id, link: { panel: 'activity', params: {}, sources: [], range: null } }),
})

function recorded(records: readonly ArchiveRecord[], slowAt: number | null = null) {
  const servers = new RecordedServers(seriesInfo)
  for (const record of records) {
    const rows = tableRowsOf(record)
    if (rows !== null) servers.takeRows(rows, (own) => `file:nightly/a_8080/${own.replace(/^db:/, '')}`)
  }
  const io = new IoFeed()
  const events = [
    { Start: formatTicks(at(slowAt ?? 0)), Size: 4096, HumaneSize: '', Duration: 1500, Type: 'JournalWrite' },
  ]
  const files = [{ File: '1.journal', Status: 'InUse', Recent: events, History: [] }]
  const environments = [{ Path: '/data/shop', Type: 'Documents', Files: files }]
  if (slowAt !== null) io.store.ingest(SHOP, readIo(bytesOf({ Environments: environments, Performances: [] })), true)
  const judge = new RecordedTriageJudge(servers, io, {
    version: () => 1,
    columns: () => Promise.resolve([]),
    selectionOf: () => '',
    volumeOf: () => null,
    circumstances: () => Promise.resolve([]),
  })
  return (from: number, to: number): Promise<RecordedTriage> =>
    judge.respond({ sources: SOURCES, range: { startTicks: at(from), endTicks: at(to) } }, new AbortController().signal)
}

const rulesOf = ({ items }: RecordedTriage): string[] => items.map(({ rule }) => rule)

test('a recording is judged as of the end of the range, by what was recorded until then', async () => {
  const triage = recorded([vitals('cpu.machine', 0, 300, 20), vitals('cpu.machine', 300, 600, 99)], 400)
  expect(await triage(0, 290)).toMatchObject({
    atTicks: at(290),
    sentence: expect.stringMatching(
      /^No issues found by 4 of 27 checks; no finding was recorded in the range\.$/,
    ) as string,
  })
  const later = await triage(0, 599)
  expect(rulesOf(later)).toEqual(['slow-writes', 'cpu-busy'])
  expect(later.sentence).toMatch(/stalled for 1\.50 s\.$/)
  expect(later.items.every(({ actsOn }) => actsOn === undefined)).toBe(true)
  expect(later.items.map(({ link }) => [link.panel, link.sources])).toEqual([
    ['io', [SHOP]],
    ['server', SOURCES],
  ])
})

test('findings of the recorder count while they held, and are listed with those that were over in the range', async () => {
  const triage = recorded([
    vitals('cpu.machine', 0, 600, 20),
    finding('low-memory', 100, 200),
    finding('disk-full', 250, 400),
  ])
  const whole = await triage(0, 590)
  expect(rulesOf(whole)).toEqual([])
  expect(whole.findings.map(({ startTicks, endTicks }) => [startTicks, endTicks])).toEqual([
    [at(100), at(200)],
    [at(250), at(400)],
  ])
  expect(whole.sentence).toMatch(/; 2 findings in the range\.$/)
  const justAfter = await triage(0, 420)
  expect([rulesOf(justAfter), justAfter.sentence]).toEqual([['disk-full'], 'disk-full was found.'])
  const during = await triage(0, 300)
  expect(rulesOf(during)).toEqual(['disk-full'])
  expect(during.items[0]).toMatchObject({ sinceTicks: at(250), link: { panel: 'server', sources: SOURCES } })
  expect((await triage(150, 220)).findings).toHaveLength(1)
})

test('nothing is called healthy by what was not recorded', async () => {
  const triage = recorded([vitals('cpu.machine', 0, 10, 20), vitals('memory.available', 0, 600, 5)])
  expect(await triage(700, 900)).toMatchObject({ atTicks: null, items: [] })
  const later = await triage(0, 500)
  expect(later).toMatchObject({ judged: 0 })
  expect(later.unknown.find(({ rule }) => rule === 'cpu-busy')?.why).toBe('No figures were recorded at that time.')
  expect(later.unknown.find(({ rule }) => rule === 'disk-full')?.why).toMatch(/judged while it was recorded/)
})

test('a link leads to the recording, and never to a database of the live server', () => {
  const time = { startTicks: at(0), endTicks: at(60) }
  const link = { panel: 'stalls', sources: ['db:shop'], range: time } as const
  expect(recordedLink(link, time, SOURCES)).toEqual({ panel: 'stalls', params: {}, sources: [SHOP], range: time })
  expect(recordedLink({ panel: 'database', sources: [], range: null }, time, SOURCES)).toMatchObject({
    panel: 'server',
    sources: SOURCES,
    range: { startTicks: at(-60), endTicks: at(120) },
  })
})
