// @ts-check
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cacheRoot, findUnit, unit } from './cache.mjs'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rookery-cache-'))
  vi.stubEnv('ROOKERY_CACHE', root)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

/** @param {string} text */
function filling(text) {
  return vi.fn((/** @type {string} */ dir) => {
    writeFileSync(join(dir, 'file'), text)
    return Promise.resolve({ text })
  })
}

test('a unit is built once, and found again', async () => {
  const build = filling('a')
  const [one, two] = await Promise.all([unit('x', build), unit('x', build)])
  expect(build).toHaveBeenCalledOnce()
  expect(two).toEqual(one)
  expect(await unit('x', filling('b'))).toEqual({ dir: join(root, 'x'), ok: { text: 'a' } })
  expect(readdirSync(root)).toEqual(['x'])
})

test('nothing stays of a build that failed', async () => {
  await expect(
    unit('x', (dir) => (writeFileSync(join(dir, 'half'), ''), Promise.reject(new Error('no')))),
  ).rejects.toThrow('no')
  expect(readdirSync(root)).toEqual([])
  expect(await findUnit('x')).toBeUndefined()
})

test('a half-made unit is replaced', async () => {
  mkdirSync(join(root, 'x'))
  writeFileSync(join(root, 'x', 'half'), '')
  const { dir } = await unit('x', filling('a'))
  expect(existsSync(join(dir, 'half'))).toBe(false)
})

test('the work of a faster process is taken', async () => {
  const got = await unit('x', (dir) => {
    mkdirSync(join(root, 'x'))
    writeFileSync(join(root, 'x', 'ok'), '{"text":"theirs"}')
    return filling('ours')(dir)
  })
  expect(readFileSync(join(got.dir, 'ok'), 'utf8')).toBe('{"text":"theirs"}')
  expect(readdirSync(root)).toEqual(['x'])
})

test('what a dead process left behind is removed, what a living one does is not', async () => {
  mkdirSync(join(root, `.tmp-${2 ** 22 + 1}-ab-y`))
  mkdirSync(join(root, `.tmp-${process.ppid}-ab-y`))
  await unit('x', filling('a'))
  expect(readdirSync(root)).toEqual([`.tmp-${process.ppid}-ab-y`, 'x'])
})

test('too little disk is one sentence', async () => {
  await expect(unit('x', filling('a'), { needs: 1e18 })).rejects.toThrow(/are needed: free some/)
})

test.skipIf(process.platform === 'win32')('the cache is where the environment says', () => {
  vi.stubEnv('ROOKERY_CACHE', '')
  vi.stubEnv('XDG_CACHE_HOME', '')
  vi.stubEnv('HOME', join(root, 'home'))
  expect(cacheRoot()).toBe(join(root, 'home', '.cache', 'rookery'))
  vi.stubEnv('XDG_CACHE_HOME', join(root, 'xdg'))
  expect(cacheRoot()).toBe(join(root, 'xdg', 'rookery'))
})

test('a folder that cannot be created is one sentence', () => {
  writeFileSync(join(root, 'file'), '')
  for (const below of [
    join(root, 'file', 'cache'),
    join(root, 'file'),
    ...(existsSync('/proc/self') ? ['/proc/x/y'] : []),
  ]) {
    vi.stubEnv('ROOKERY_CACHE', below)
    expect(cacheRoot).toThrow(`The folder ${below} cannot be created or written: name another one in ROOKERY_CACHE.`)
  }
})
