import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { listZip } from './zip.ts'

/** A zip whose names are in a code page of Windows, as of an archiver that does not write UTF-8. */
function inCodePage(names: readonly Uint8Array[]): Blob {
  const placeholders = names.map((name, i) => String.fromCodePoint(97 + i).repeat(name.length))
  const zip = zipSync(Object.fromEntries(placeholders.map((name) => [name, strToU8('{}')])))
  for (const [i, placeholder] of placeholders.entries()) {
    const wanted = strToU8(placeholder)
    for (let at = 0; at + wanted.length <= zip.length; at++)
      if (wanted.every((byte, n) => zip[at + n] === byte)) zip.set(names[i] ?? wanted, at)
  }
  return new Blob([zip])
}

it('keeps names apart that are not UTF-8', async () => {
  const ending = [...strToU8('/a.json')]
  const names = [0x84, 0x94].map((byte) => Uint8Array.from([byte, byte, byte, ...ending]))
  const read = (await listZip(inCodePage(names)))?.map(({ name }) => name) ?? []
  expect(read).toHaveLength(2)
  expect(new Set(read).size).toBe(2)
  for (const name of read) expect(name).toMatch(/^[^\uFFFD]{3}\/a\.json$/)
})
