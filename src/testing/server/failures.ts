import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { bulk, createDatabase, databasePath, deleteDatabase, json, put } from '../../../tools/ravendb/client.mjs'
import { LONG_MS } from './real-server.ts'

/* Traces that failures leave on a real server, by requests that no row of the table would send. */

interface Answer {
  readonly status: number
  readonly text: string
}

/** Without a rejection for what is refused. */
async function raw(url: string, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return { status: response.status, text: await response.text() }
}

const names = async (url: string): Promise<readonly string[]> =>
  ((await json(url, '/databases?namesOnly=true')) as { Databases: string[] }).Databases

/** Names that there are not: all is as it was. */
export async function failByName(url: string, database: string): Promise<void> {
  const path = databasePath(database)
  const state = async (): Promise<unknown> => {
    const { Results: all } = (await json(url, `${path}/indexes/stats`)) as { Results: Record<string, unknown>[] }
    return [
      (await names(url)).filter((name) => [database, 'nope', 'bad name'].includes(name)),
      all.map(({ Name, State, Status, Priority, LockMode }) => [Name, State, Status, Priority, LockMode]),
    ]
  }
  const before = await state()
  const none = { DatabaseNames: ['nope'] }
  const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
    ...['stop', 'start', 'disable', 'enable'].map(
      (verb) => ['POST', `${path}/admin/indexes/${verb}?name=Nope`] as const,
    ),
    ['RESET', `${path}/indexes?name=Nope`],
    ['POST', `${path}/indexes/replace?name=Nope`],
    ['POST', `${path}/indexes/set-priority`, { IndexNames: ['Nope'], Priority: 'Low' }],
    ['POST', `${path}/indexes/set-lock`, { IndexNames: ['Nope'], Mode: 'LockedError' }],
    ['DELETE', `${path}/indexes/errors?name=Nope`],
    ['DELETE', `${path}/indexes?name=Nope`],
    ['POST', '/admin/databases/disable', none],
    ['POST', '/admin/databases/set-lock', { ...none, Mode: 'PreventDeletesError' }],
    ['DELETE', '/admin/databases', { ...none, HardDelete: true, TimeToWaitForConfirmation: '00:00:15' }],
    ['POST', '/databases/nope/admin/studio-tasks/restart'],
    ['POST', `${path}/admin/storage/manual-flush?name=Nope&type=Index`],
    ['POST', `${path}/admin/backup`, { BackupType: 'Backup', LocalSettings: { FolderPath: '/proc/nope' } }],
    ['POST', '/admin/compact', { DatabaseName: 'nope', Documents: true }],
    ['POST', `${path}/debug/queries/kill?indexName=Nope&id=999`],
    ['POST', `${path}/operations/kill?id=999999`],
    ['PUT', '/admin/databases?name=bad%20name', { DatabaseName: 'bad name', Settings: {} }],
  ]
  for (const [method, at, body] of requests) await raw(url, method, at, body)
  expect(await state()).toEqual(before)
}

/** State of the restore that is over; null: it was refused. */
async function restore(url: string, name: string, file: string): Promise<string | null> {
  const { text } = await raw(url, 'POST', '/admin/restore/database', {
    Type: 'Local',
    DatabaseName: name,
    BackupLocation: join(file, '..'),
    LastFileNameToRestore: file,
    DisableOngoingTasks: true,
  })
  const { OperationId: id } = JSON.parse(text) as { OperationId?: number }
  if (id === undefined) return null
  for (;;) {
    const { Status: status } = (await json(url, `/operations/state?id=${id}`)) as { Status: string }
    if (status !== 'InProgress') return status
    await sleep(100)
  }
}

/** `file`: a backup of one document and more. */
export async function failRestores(url: string, file: string, isOld: boolean): Promise<void> {
  await createDatabase(url, 'victim')
  await bulk(url, 'victim', [put('things/1', 'Things', {})])
  expect(await restore(url, 'VICTIM', file)).toBe(isOld ? null : 'Faulted')
  // 6.2 and later delete it, whatever the case of its name, a moment after the operation has ended.
  if (isOld) expect(await names(url)).toContain('victim')
  else await expect.poll(() => names(url), { timeout: LONG_MS }).not.toContain('victim')

  const other = join(file, '..', '..', '2026-01-01-00-00-00.ravendb-x-A-backup')
  const broken = join(other, '2026-01-01-00-00-00.ravendb-full-backup')
  await mkdir(other)
  await writeFile(broken, 'This is no backup.')
  expect(await restore(url, 'broken', broken)).toBe('Faulted')
  // The server takes it away a moment after the operation has ended.
  await expect.poll(() => names(url), { timeout: LONG_MS }).not.toContain('broken')
  await access(await folderOf(url, 'broken'))
  // A restore from a file that does not exist restores the rest of its folder.
  expect(await restore(url, 'missing', file.replace(/[^/\\]+$/, '2099-01-01-00-00-00.ravendb-full-backup'))).toBe(
    'Completed',
  )
  expect(await names(url)).toContain('missing')
  for (const name of ['missing', ...(isOld ? ['victim'] : [])]) await deleteDatabase(url, name)
}

/** A database that cannot have its folder is listed all the same. */
export async function failCreation(url: string): Promise<void> {
  await writeFile(await folderOf(url, 'afile'), '')
  const { status } = await raw(url, 'PUT', '/admin/databases?name=afile', { DatabaseName: 'afile', Settings: {} })
  expect(status).toBe(503)
  expect(await names(url)).toContain('afile')
  await deleteDatabase(url, 'afile')
}

const folderOf = async (url: string, name: string): Promise<string> =>
  ((await json(url, `/admin/studio-tasks/full-data-directory?name=${name}`)) as { FullPath: string }).FullPath
