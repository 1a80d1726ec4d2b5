// @ts-check
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { tgzFiles } from './untar.mjs'
import { zipEntries } from './unzip.mjs'

test('reads stored and deflated entries of a zip', async () => {
  const long = Buffer.from('rook '.repeat(5000))
  const zip = Buffer.from(
    zipSync({ 'a/stored.txt': [Buffer.from('kept'), { level: 0 }], 'b.txt': [long, { level: 9 }] }),
  )
  const entries = zipEntries(zip)
  expect(entries.map(({ name, size }) => [name, size])).toEqual([
    ['a/stored.txt', 4],
    ['b.txt', 25_000],
  ])
  expect(String(await entries[0]?.read())).toBe('kept')
  expect(await entries[1]?.read()).toEqual(long)
})

test('says that a zip is cut', () => {
  const zip = Buffer.from(zipSync({ 'a.txt': Buffer.from('kept') }))
  expect(() => zipEntries(zip.subarray(0, zip.length - 10))).toThrow('cut short')
})

/**
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
function tarEntry(name, type, text) {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(text.length.toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  const body = Buffer.alloc(Math.ceil(text.length / 512) * 512)
  body.write(text)
  return Buffer.concat([header, body])
}

test('reads files of a tar, with long names of both kinds', async () => {
  const long = `package/${'x'.repeat(150)}.js`
  const tar = Buffer.concat([
    tarEntry('package', '5', ''),
    tarEntry('package/a.js', '0', 'a'.repeat(600)),
    tarEntry('PaxHeader', 'x', `170 path=${long}\n`),
    tarEntry('cut', '0', 'pax'),
    tarEntry('././@LongLink', 'L', `${long}2\0`),
    tarEntry('cut', '0', 'gnu'),
    Buffer.alloc(1024),
  ])
  const files = await tgzFiles(gzipSync(tar))
  expect([...files].map(([name, bytes]) => [name, bytes.length])).toEqual([
    ['package/a.js', 600],
    [long, 3],
    [`${long}2`, 3],
  ])
})
