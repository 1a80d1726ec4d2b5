// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { archiveFileOf, openedFolder, rangeOf } from './open.mjs'
import { servePage } from './page-server.mjs'

const folder = mkdtempSync(join(tmpdir(), 'open-'))
writeFileSync(join(folder, 'a.parquet'), '0123456789')
writeFileSync(join(folder, 'secret.txt'), 'x')
const journals = { read: () => Promise.reject(new Error('There are none.')) }
const served = await servePage({ dist: folder, opened: openedFolder(folder, journals) })
afterAll(() => {
  served.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a range of a file is sent as such, all of it without one, and none where the file lacks it', async () => {
  const get = async (/** @type {string} */ range) => {
    const response = await fetch(`${served.url}/archive/a.parquet`, { headers: range === '' ? {} : { range } })
    return [response.status, response.headers.get('content-range'), await response.text()]
  }
  expect(await get('')).toEqual([200, null, '0123456789'])
  expect(await get('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await get('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await get('bytes=7-99')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await get('bytes=10-12')).toEqual([416, 'bytes */10', ''])
})

test('what is no single range is no range', () => {
  for (const text of [undefined, 'bytes=-3', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=4-2', 'bytes=-'])
    expect([text, rangeOf(text, 10)]).toEqual([text, undefined])
})

test('a path leads to the own files of an archive only', () => {
  expect(archiveFileOf('/a', 'io/b.parquet')).toBe('/a/io/b.parquet')
  for (const path of ['secret.txt', '..%2Fb.parquet', '../b.parquet', '.b.parquet', 'a//b.parquet', '%zz'])
    expect([path, archiveFileOf('/a', path)]).toEqual([path, undefined])
})
