import { readFileSync } from 'node:fs'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { folderOf, listPackage } from '../../../capture/reading/package-entries.ts'
import { ZipBlock } from '../../../capture/reading/zip-blocks.ts'
import type { PackageFinding, PackageTriage } from '../contract.ts'
import type { AnsweredServer } from './packages.ts'
import { packageSource } from './reports.ts'
import { Packages } from './store.ts'

const RECORDED = unzipSync(
  readFileSync(new URL('../../../testing/recorded/7.1/debug-info-package-incident.zip', import.meta.url)),
)
const NOTHING: PackageTriage = { sentence: '', isCalm: true, findings: [], more: 0, judged: 0, unknown: [], rules: [] }

const SETTINGS = 'orders/admin.configuration.settings.json'
const settings = (server: object, database: object): Uint8Array =>
  strToU8(
    JSON.stringify({
      Settings: [
        { Metadata: { Type: 'String' }, ServerValues: valuesOf(server), DatabaseValues: valuesOf(database) },
        { Metadata: { Type: 'String', IsSecured: true }, ServerValues: valuesOf({ License: 'hunter2' }) },
      ],
    }),
  )
const valuesOf = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([key, Value]: [string, unknown]) => [key, { Value, HasValue: true }]))

/** The recorded package an hour before, with some entries changed. */
const earlier = (changed: Readonly<Record<string, (text: string) => string>>): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(RECORDED).map(([path, bytes]) => {
      const text = new TextDecoder().decode(bytes).replaceAll('2026-11-26T22:', '2026-11-26T21:')
      return [path, strToU8(changed[path]?.(text) ?? text)]
    }),
  )

async function take(packages: Packages, name: string, entries: Record<string, Uint8Array>): Promise<number> {
  const listed = await listPackage(new Blob([zipSync(entries, { level: 0 })]), 'zip')
  return packages.take({ name, listed, step: () => Promise.resolve() })
}

describe('two packages of a server', () => {
  it('are compared, whichever was opened first', async () => {
    const packages = new Packages(() => NOTHING)
    const was = settings({ 'Cluster.TimeoutInSec': '9', 'Logs.Path': '/logs' }, { 'Indexing.MapTimeoutInSec': '30' })
    const before = earlier({
      'orders/stats.json': (text) => text.replace('"CountOfDocuments":1501', '"CountOfDocuments":900'),
      'orders/indexes.stats.json': (text) => text.replaceAll('"State":"Error"', '"State":"Normal"'),
      'orders/database-record.json': (text) => text.replace('10 / i.Zero', '10 / i.None'),
      'orders/notifications.json': () => '{"TotalResults":0,"Results":[]}',
      'archive/database-record.json': (text) => text.replace('"Disabled":true', '"Disabled":false'),
    })
    const late = { ...RECORDED, [SETTINGS]: settings({ 'Logs.Path': '/logs' }, {}) }
    expect(await take(packages, 'late.zip', late)).toBe(1)
    const changes = packages.responses['package.changes']
    expect(await changes({ file: 'late.zip' })).toBeNull()
    expect(await take(packages, 'early.zip', { ...before, [SETTINGS]: was })).toBe(1)
    expect(await changes({ file: 'early.zip' })).toBeNull()
    const found = await changes({ file: 'late.zip' })
    expect(found).toMatchObject({ before: 'early.zip', more: 0 })
    expect(found?.changes).toEqual([
      expect.objectContaining({ database: null, what: 'Started' }),
      { database: null, what: 'Setting Cluster.TimeoutInSec', before: '9', after: 'default' },
      { database: 'archive', what: 'Database', before: 'there', after: 'disabled' },
      { database: 'orders', what: 'Documents', before: '900', after: '1,501' },
      { database: 'orders', what: 'Notifications', before: '0', after: '1' },
      { database: 'orders', what: 'Notification “Blockage in tombstone deletion”', before: null, after: '1' },
      { database: 'orders', what: 'Index “Broken”', before: 'paused, stale', after: 'error, stale' },
      { database: 'orders', what: 'Setting Indexing.MapTimeoutInSec', before: '30', after: 'default' },
      { database: 'orders', what: 'Definition of “Broken”', before: 'as it was', after: 'redefined' },
    ])
  })

  it('are compared without the settings of databases where a file was changed since it was opened', async () => {
    const packages = new Packages(() => NOTHING)
    const set = settings({}, { 'Indexing.MapTimeoutInSec': '30' })
    await take(packages, 'early.zip', { ...earlier({}), [SETTINGS]: settings({}, {}) })
    await take(packages, 'late.zip', { ...RECORDED, [SETTINGS]: set })
    const lost = vi.spyOn(ZipBlock, 'read').mockRejectedValue(new DOMException('It was changed.', 'NotReadableError'))
    try {
      const found = await packages.responses['package.changes']({ file: 'late.zip' })
      expect(found?.before).toBe('early.zip')
      expect(found?.changes.filter(({ what }) => what.startsWith('Setting'))).toEqual([])
    } finally {
      lost.mockRestore()
    }
  })

  it('show notifications and running queries of the databases that are chosen', async () => {
    const packages = new Packages(() => NOTHING)
    const running = {
      '@metadata': {},
      Held: [{ DurationInMs: 21130, StartTime: '2026-11-26T22:26:00.0000000Z', QueryInfo: { Query: 'from X' } }],
    }
    const own = { ...RECORDED, 'orders/queries.running.json': strToU8(JSON.stringify(running)) }
    await take(packages, 'own.zip', own)
    const noticesOf = (...sources: string[]) => packages.responses['package.notices']({ sources })
    expect(noticesOf('file:own.zip/orders')).toMatchObject([
      { database: 'orders', title: 'Blockage in tombstone deletion', createdTicks: expect.any(Number) as number },
    ])
    expect(noticesOf('file:own.zip/archive', 'file:other.zip/orders')).toEqual([])
    const detail = packages.responses['package.database']({ file: 'own.zip', prefix: '', database: 'orders' })
    expect(detail?.queries).toMatchObject([{ index: 'Held', query: 'from X', runningMs: 21130 }])
  })

  it('claim nothing came or went for what one of them lacks', async () => {
    const finding = { id: 'index-errored|orders||', rule: 'index-errored', title: 'It stopped.' } as PackageFinding
    const lack = { rule: 'index-errored', title: '', why: '', isLack: true }
    const judgeBy = (servers: readonly AnsweredServer[]): PackageTriage =>
      servers.some(({ databases }) => databases.some(({ answers: { indexes } }) => indexes.kind !== 'absent'))
        ? { ...NOTHING, findings: [finding] }
        : { ...NOTHING, unknown: [lack] }
    const packages = new Packages(judgeBy)
    const lacks = Object.fromEntries(Object.entries(RECORDED).filter(([path]) => !path.endsWith('/indexes.stats.json')))
    await take(packages, 'early.zip', earlier({}))
    await take(packages, 'late.zip', lacks)
    const changed = await packages.responses['package.changes']({ file: 'late.zip' })
    expect(changed).toMatchObject({ come: [], gone: [], unjudged: ['It stopped.'] })
    expect(changed?.changes.filter(({ what }) => /“(Broken|Held)”/.test(what))).toEqual([])
  })

  it('of other servers are not', async () => {
    const packages = new Packages(() => NOTHING)
    const other = earlier({
      'server-wide/server-id.json': (text) => text.replace(/"ServerId":"..../, '"ServerId":"0000'),
    })
    await take(packages, 'other.zip', other)
    await take(packages, 'own.zip', RECORDED)
    expect(await packages.responses['package.changes']({ file: 'own.zip' })).toBeNull()
  })
})

it('a database has the source that its entries are read as, also in a package inside another', () => {
  for (const folder of ['', 'orders/', 'inner.zip/', 'inner.zip/orders/'])
    expect(packageSource('own.zip', folder)).toBe(`file:own.zip/${folderOf(`${folder}io-metrics.json`)}`)
})
