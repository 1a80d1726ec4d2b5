import { unzipSync } from 'fflate'
import { beforeEach, expect, it } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import { DATABASE_ENTRIES, OWN_ENTRIES } from '../../../ravendb/answers/answers.ts'
import { DATABASE_PACKED, OWN_PACKED } from '../../../ravendb/entry-names.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { runExport } from '../../../testing/exported.ts'
import { FakeRaven, json } from '../../../testing/fake-raven.ts'
import { packageExporters } from './package-export.ts'

const AT = parseTicks('2026-11-27T02:00:00.0000000Z')
const { signal } = new AbortController()
let raven: FakeRaven
let governor: Governor

const saved = async (): Promise<Record<string, unknown>> => {
  const exporters = packageExporters({
    newest: () => governor.newest,
    collected: () => [],
    nowMs: () => 0,
    ticksAt: () => AT,
    nodeTag: () => 'A',
  })
  const { bytes, planned, rows } = await runExport(exporters, 'server.package', { gaps: [] })
  const entries = unzipSync(bytes)
  expect([planned, rows]).toEqual([Object.keys(entries).length, Object.keys(entries).length])
  return Object.fromEntries(
    Object.entries(entries).map(([path, entry]) => [path, JSON.parse(new TextDecoder().decode(entry)) as unknown]),
  )
}

beforeEach(() => {
  raven = new FakeRaven()
  governor = new Governor(raven.env)
  for (const name of ['shop', 'a & b']) raven.databases.set(name, 'loaded')
})

it('writes the newest response of each endpoint in the layout of a package, and sends no request', async () => {
  let total = 1
  raven.on(/\/tasks$/, () => json({ OngoingTasks: [], Total: total }))
  raven.on(/memory\/stats/, () => json({ Physical: 12 }))
  await governor.json('ongoingTasks', { database: 'shop' }, { signal, isFresh: true })
  raven.on(/\/indexes/, () => json({ Results: [] }))
  await governor.json('indexesWhole', { database: 'shop' }, { signal, isFresh: true })
  raven.on(/\/indexes/, () => json({ Results: ['names alone'] }))
  await governor.json('indexesNames', { database: 'shop' }, { signal, isFresh: true })
  total = 2
  await governor.json('ongoingTasks', { database: 'shop' }, { signal, isFresh: true })
  await governor.json('ongoingTasks', { database: 'a & b' }, { signal, isFresh: true })
  const before = raven.calls.length
  const entries = await saved()
  expect(raven.calls.length).toBe(before)
  const stamped = { '@metadata': { DateTime: '2026-11-27T02:00:00.0000000Z', NodeTag: 'A' } }
  expect(entries).toMatchObject({
    'shop/tasks.json': { ...stamped, Total: 2 },
    'a & b/tasks.json': { ...stamped, Total: 2 },
    'shop/indexes.json': { ...stamped, Results: [] },
  })
})

it('has no secret, and nothing that no package has', async () => {
  raven.on(/\/tasks$/, () => json({ OngoingTasks: [{ TaskName: 'x', ConnectionString: 'Server=a;Password=hunter2' }] }))
  raven.on(/\/docs/, () => json({ Results: [{ Name: 'private' }] }))
  await governor.json('ongoingTasks', { database: 'shop' }, { signal })
  await governor.json('document', { database: 'shop', id: 'users/1' }, { signal })
  const entries = await saved()
  expect(Object.keys(entries).every((path) => /\/(?:tasks|build\.version)\.json$/.test(path))).toBe(true)
  expect(JSON.stringify(entries)).not.toContain('hunter2')
  expect(JSON.stringify(entries)).not.toContain('private')
})

it('forgets what another server at the address had responded', async () => {
  raven.on(/\/tasks$/, () => json({ OngoingTasks: [] }))
  await governor.json('ongoingTasks', { database: 'shop' }, { signal })
  governor.serverChanged()
  expect(governor.newest).toEqual([])
  await expect(saved()).rejects.toThrow('Nothing of this server was read yet')
})

it('keeps every entry by which a package is judged, but for certificates and the record of a database', () => {
  expect([...OWN_ENTRIES].filter((entry) => !OWN_PACKED.has(entry))).toEqual(['admin.certificates'])
  expect([...DATABASE_ENTRIES].filter((entry) => !DATABASE_PACKED.has(entry))).toEqual(['database-record'])
})
