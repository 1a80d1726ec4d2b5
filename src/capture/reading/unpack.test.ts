import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { crc32 } from './crc32.ts'
import { gunzipped } from './unpack.ts'

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const read = (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> => new Response(stream).text()
const packedOf = (...parts: readonly (string | Uint8Array<ArrayBuffer>)[]): Blob =>
  new Blob(parts.map((part) => (typeof part === 'string' ? new Uint8Array(gzipSync(part)) : part)))

/** A browser's unpacker: it gives what it likes of the first member, and then fails because more follows. */
const browser = (given: string) =>
  // oxlint-disable-next-line typescript/require-await -- it replaces one that waits
  async function* () {
    if (given !== '') yield bytesOf(given)
    throw new TypeError('Junk found after end of compressed data.')
  }

const options = { name: 'a.gz', mostBytes: null }
const first = '{"a": 1}'.repeat(9000)
const second = '{"b": 2}'.repeat(7000)

describe('gzip', () => {
  test.each(['', first.slice(0, 5000), first])(
    'continues with the members that the browser does not read',
    async (given) => {
      const packed = packedOf(first, second, '', 'end')
      expect(await read(gunzipped(packed, options, browser(given)))).toBe(`${first}${second}end`)
    },
  )

  test('members smaller than a piece, as of bgzip', async () => {
    const parts = Array.from({ length: 500 }, (_, n) => `${n},`)
    expect(await read(gunzipped(packedOf(...parts), options, browser('')))).toBe(parts.join(''))
  })

  test.each([1, 2, 3, 4, 512, 100_000])('padding of %i bytes after it loses nothing', async (bytes) => {
    const packed = packedOf(first, second, new Uint8Array(bytes))
    expect(await read(gunzipped(packed, options, browser(first.slice(0, 100))))).toBe(`${first}${second}`)
  })

  test('a member whose checksum is wrong is refused', async () => {
    const broken = new Uint8Array(gzipSync(second))
    broken[broken.length - 6] = (broken[broken.length - 6] as number) ^ 1
    for (const packed of [packedOf(first, broken), packedOf(first, broken, first)])
      await expect(read(gunzipped(packed, options, browser(first)))).rejects.toThrow(
        'Part 2 of the gzip does not match its checksum: the file is broken.',
      )
  })

  test('a broken first member keeps the browser’s own reason', async () => {
    const cut = new Uint8Array(gzipSync(first)).subarray(0, 60)
    await expect(read(gunzipped(packedOf(cut), options, browser('')))).rejects.toThrow('Junk found')
    await expect(read(gunzipped(packedOf(bytesOf('\u001f?no gzip')), options, browser('')))).rejects.toThrow(
      'Junk found',
    )
  })
})

test('crc32 is that of the format', () => {
  expect(crc32(bytesOf('123456789'))).toBe(0xcbf43926)
  expect(crc32(bytesOf('6789'), crc32(bytesOf('12345')))).toBe(0xcbf43926)
})
