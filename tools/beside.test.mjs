// @ts-check
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { joinBeside } from './beside.mjs'

function places() {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-beside-'))
  const dist = join(folder, 'dist')
  mkdirSync(join(dist, 'assets'), { recursive: true })
  writeFileSync(join(dist, 'index.html'), 'ours')
  writeFileSync(join(dist, 'assets', 'a.js'), 'a')
  const official = join(folder, 'Raven.Studio.zip')
  writeFileSync(official, zipSync({ 'index.html': strToU8('theirs'), 'rookery/old.js': strToU8('old') }))
  return { dist, official, out: join(folder, 'out') }
}

/** @param {string} path */
const contents = (path) =>
  Object.fromEntries(Object.entries(unzipSync(readFileSync(path))).map(([name, bytes]) => [name, strFromU8(bytes)]))

test('the official one stays, ours is beside it, a former one is replaced', () => {
  const paths = places()
  expect(contents(joinBeside(paths))).toEqual({
    'index.html': 'theirs',
    'rookery/index.html': 'ours',
    'rookery/assets/a.js': 'a',
  })
  expect(contents(paths.official)['index.html']).toBe('theirs')
})

test('what is no studio, or is not there, is refused in a sentence', () => {
  const paths = places()
  expect(() => joinBeside({ ...paths, official: '/no/such.zip' })).toThrow('There is no /no/such.zip')
  writeFileSync(paths.official, 'no zip')
  expect(() => joinBeside(paths)).toThrow('could not be read as a zip')
  writeFileSync(paths.official, zipSync({ 'other.txt': strToU8('') }))
  expect(() => joinBeside(paths)).toThrow('has no index.html')
})
