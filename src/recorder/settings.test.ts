import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { DatabaseSettingsTap, SettingsTap } from './settings.ts'

const settings = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

test('settings are written as they were found, and then when one changes, goes back to its default, or is new', () => {
  const taken: string[] = []
  const take = (record: ArchiveRecord): void => {
    if (record.t !== 'setting' || 'seed' in record) return
    const { atTicks, kind, key, before, value } = record
    taken.push(`${String(atTicks)} ${kind} ${key} ${String(before)} → ${String(value)}`)
  }
  const tap = new SettingsTap()
  tap.take(settings({ DataDir: '/data', 'Memory.LowMemoryLimitInMb': '512' }), 1, take)
  tap.take(settings({ DataDir: '/data', 'Memory.LowMemoryLimitInMb': '512' }), 2, take)
  tap.take(settings({ DataDir: '/other', 'Logs.Level': 'Debug' }), 3, take)
  const found = ['1 found DataDir null → /data', '1 found Memory.LowMemoryLimitInMb null → 512']
  const changed = [
    '3 changed DataDir /data → /other',
    '3 changed Memory.LowMemoryLimitInMb 512 → null',
    '3 changed Logs.Level null → Debug',
  ]
  expect(taken.splice(0)).toEqual([...found, ...changed])

  // A recorder that goes on knows them by their seeds.
  const next = new SettingsTap()
  for (const seed of tap.seeds()) if (seed.t === 'setting') next.meet(seed)
  next.take(settings({ DataDir: '/other', 'Logs.Level': 'Info' }), 4, take)
  expect(taken).toEqual(['4 changed Logs.Level Debug → Info'])
})

test('settings of a database have its name in front, and one that could not be read keeps what is known of it', () => {
  const taken: string[] = []
  const take = (record: ArchiveRecord): void => {
    if (record.t === 'setting' && !('seed' in record))
      taken.push(`${record.kind} ${record.key} ${String(record.before)} → ${String(record.value)}`)
  }
  const tap = new DatabaseSettingsTap()
  const shop = (value: string) => ({ database: 'shop', settings: settings({ 'Indexing.MapBatchSize': value }) })
  tap.take([shop('128'), { database: 'new', settings: [] }], 1, take)
  tap.take([{ database: 'new', settings: settings({ 'Query.MaxClauseCount': '9' }) }], 2, take)
  const next = new DatabaseSettingsTap()
  for (const seed of tap.seeds()) if (seed.t === 'setting') expect(next.meet(seed)).toBe(true)
  expect(next.meet({ key: 'DataDir', value: '/data' })).toBe(false)
  next.take([shop('64')], 3, take)
  expect(taken).toEqual([
    'found db:shop Indexing.MapBatchSize null → 128',
    'changed db:new Query.MaxClauseCount null → 9',
    'changed db:shop Indexing.MapBatchSize 128 → 64',
  ])
})

test('a change is one after a restart of the recorder, too, where all settings were at their defaults', () => {
  const journal: ArchiveRecord[] = []
  const before = { server: new SettingsTap(), databases: new DatabaseSettingsTap() }
  before.server.take([], 1, (record) => journal.push(record))
  before.databases.take([{ database: 'shop', settings: [] }], 1, (record) => journal.push(record))
  const seeds = [...before.server.seeds(), ...before.databases.seeds()]
  // A killed recorder leaves its journal, an ended one the seeds of the next.
  for (const left of [journal, seeds]) {
    const next = { server: new SettingsTap(), databases: new DatabaseSettingsTap() }
    for (const record of left) if (record.t === 'setting' && !next.databases.meet(record)) next.server.meet(record)
    const taken: string[] = []
    const take = (record: ArchiveRecord): void => {
      if (record.t === 'setting') taken.push(`${record.kind} ${record.key}`)
    }
    next.server.take(settings({ 'Logs.Level': 'Info' }), 2, take)
    next.databases.take([{ database: 'shop', settings: settings({ 'Indexing.MapBatchSize': '9' }) }], 2, take)
    expect(taken).toEqual(['changed Logs.Level', 'changed db:shop Indexing.MapBatchSize'])
  }
})
