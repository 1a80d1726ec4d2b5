// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { bornAt } from '../children.mjs'
import { Plain, silent } from '../say.mjs'
import { getRavenDb } from './get.mjs'
import { patchOnce } from './patch.mjs'
import { clearOrphan } from './pidfile.mjs'
import { mustBeFree } from './server.mjs'
import { resolveVersion } from './versions.mjs'

/** @type {string[]} */
const made = []

afterEach(() => {
  vi.unstubAllEnvs()
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true })
})

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'rookery-ravendb-test-'))
  made.push(dir)
  return dir
}

test.each([
  ['7.1', '7.1.5'],
  ['7.1.5', '7.1.5'],
  ['v6.2', '6.2.4'],
  ['5.4', '5.4.207'],
  ['5.4.0', '5.4.207'],
  [' 5.4.207 ', '5.4.207'],
  ['7.2.1', '7.2.1'],
])('version %s is %s', (requested, version) => {
  expect(resolveVersion(requested)).toBe(version)
})

test.each(['', 'latest', '4', '7.1.5; rm', '../7.1.5'])('%j is no version', (requested) => {
  expect(() => resolveVersion(requested)).toThrow(Plain)
})

test('patches the one occurrence, and leaves the original alone', () => {
  const file = Buffer.from('...abc...')
  expect(String(patchOnce(file, Buffer.from('abc'), Buffer.from('xyz!')))).toBe('...xyz!..')
  expect(String(file)).toBe('...abc...')
})

test.each([
  ['missing', '......'],
  ['there twice', 'abc.abc'],
  ['there twice, overlapping', 'ababa'],
])('does not patch bytes that are %s', (_, text) => {
  expect(() => patchOnce(Buffer.from(text), Buffer.from(text === 'ababa' ? 'aba' : 'abc'), Buffer.from('xyz'))).toThrow(
    'the bytes',
  )
})

test('does not patch beyond the end', () => {
  expect(() => patchOnce(Buffer.from('.abc'), Buffer.from('abc'), Buffer.from('abcd'))).toThrow('beyond the end')
})

test('a named folder without a server is one sentence, and leaves nothing in the cache', async () => {
  const cache = folder()
  vi.stubEnv('ROOKERY_CACHE', cache)
  vi.stubEnv('ROOKERY_RAVENDB_DIR', join(cache, 'nowhere'))
  await expect(getRavenDb({ say: silent })).rejects.toThrow(/ROOKERY_RAVENDB_DIR names .*nowhere, which does not exist/)
  expect(readdirSync(cache)).toEqual([])
})

test('a port that is taken is one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(mustBeFree(port)).rejects.toThrow(`Port ${port} is taken`)
  server.close()
})

/** @returns {Promise<{ pid: number, gone: Promise<unknown> }>} a process that sleeps */
async function sleeper() {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
  const gone = once(child, 'exit')
  await once(child, 'spawn')
  return { pid: child.pid ?? 0, gone }
}

test.skipIf(process.platform === 'win32')('an orphan is ended', async () => {
  const dir = folder()
  const { pid, gone } = await sleeper()
  const record = { pid, born: await bornAt(pid), owner: 2 ** 22 + 1, ownerBorn: '1' }
  writeFileSync(join(dir, 'rookery.pid'), JSON.stringify(record))
  expect(await clearOrphan(dir)).toBe(pid)
  await gone
  expect(readdirSync(dir)).toEqual([])
})

test.skipIf(process.platform === 'win32')('a process of the same number that is not ours is left alone', async () => {
  const dir = folder()
  const { pid } = await sleeper()
  writeFileSync(join(dir, 'rookery.pid'), JSON.stringify({ pid, born: '1', owner: 1, ownerBorn: '1' }))
  expect(await clearOrphan(dir)).toBe(0)
  expect(process.kill(pid, 0)).toBe(true)
  process.kill(pid, 'SIGKILL')
})

test('a folder that a living command uses is left alone', async () => {
  const dir = folder()
  const born = await bornAt(process.pid)
  writeFileSync(
    join(dir, 'rookery.pid'),
    JSON.stringify({ pid: process.pid, born, owner: process.pid, ownerBorn: born }),
  )
  await expect(clearOrphan(dir)).rejects.toThrow('Another command')
})

test.each(['', '{', '{"pid":"x"}', '{"pid":1}', '[]'])('a pid file that holds %j is nothing', async (text) => {
  const dir = folder()
  writeFileSync(join(dir, 'rookery.pid'), text)
  expect(await clearOrphan(dir)).toBe(0)
})
