// @ts-check
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { zipEntries } from './archive/unzip.mjs'
import { packStudio, studioFiles } from './pack.mjs'

/** @type {string[]} */
const made = []

afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true })
})

/**
 * @param {Record<string, string>} files
 * @param {number} [time] of their last change, seconds since 1970
 * @returns {string} folder
 */
function build(files, time = 1e9) {
  const dir = mkdtempSync(join(tmpdir(), 'rookery-pack-'))
  made.push(dir)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
    utimesSync(join(dir, name), time, time)
  }
  return dir
}

const FILES = {
  'index.html': '<p>',
  'assets/b.js': 'b',
  'assets/a.css': 'a',
  'assets/a.js.map': '{}',
  'logo.svg': '<svg/>',
}

test('the zip has the same bytes whatever the folder, the order and the time', () => {
  const first = packStudio(build(FILES))
  const second = packStudio(build(Object.fromEntries(Object.entries(FILES).toReversed()), 1.5e9))
  expect(second.sha256).toBe(first.sha256)
  expect(readFileSync(second.path)).toEqual(readFileSync(first.path))
})

test('packing again does not pack the zip itself', () => {
  const dir = build(FILES)
  const first = packStudio(dir)
  expect(packStudio(dir)).toEqual(first)
  expect(first.files).toEqual(['assets/a.css', 'assets/b.js', 'index.html', 'logo.svg'])
})

test('the zip holds what the folder holds', async () => {
  const { path, bytes } = packStudio(build(FILES))
  const zip = readFileSync(path)
  expect(zip.length).toBe(bytes)
  const texts = await Promise.all(zipEntries(zip).map(async ({ name, read }) => [name, (await read()).toString()]))
  expect(Object.fromEntries(texts)).toEqual({
    'assets/a.css': 'a',
    'assets/b.js': 'b',
    'index.html': '<p>',
    'logo.svg': '<svg/>',
  })
})

test.each(['a.wasm', 'a.mjs', 'sub/a.webp', 'LICENSE', 'a.webmanifest'])(
  '%s, which RavenDB cannot serve, is refused',
  (name) => {
    expect(() => studioFiles(build({ ...FILES, [name]: '' }))).toThrow(name)
  },
)

test('a folder without index.html is no build', () => {
  expect(() => packStudio(build({ 'a.js': '' }))).toThrow('index.html')
})
