import { expect, it } from 'vitest'
import { textProblem } from './useTextCheck.ts'

const MIB = 1024 * 1024
const problemOf = (...parts: BlobPart[]) =>
  textProblem(new Blob(parts), 'Comma', new AbortController().signal, () => undefined)

it('finds what is no UTF-8 anywhere in a file', async () => {
  const lines = 'a,b\n'.repeat(75_000)
  expect(await problemOf(lines, Uint8Array.of(0xfc), lines)).toMatch(/UTF-8/)
  expect(await problemOf(lines, '\0', lines)).toMatch(/UTF-8/)
  // A character between two slices, and one that the end of the file cuts.
  expect(await problemOf('x'.repeat(MIB - 1), 'ü🦆', lines)).toBeNull()
  expect(await problemOf('x'.repeat(MIB + 1), Uint8Array.of(0xc3))).toMatch(/UTF-8/)
  expect(await problemOf('x'.repeat(MIB - 1), Uint8Array.of(0xc3))).toMatch(/UTF-8/)
})

it('finds what the server would lose anywhere in a file', async () => {
  const lines = 'a,b\n'.repeat(300_000)
  expect(await problemOf(lines)).toBeNull()
  expect(await problemOf(lines, '1\n', lines)).toMatch(/^Line 300,001 has 1 field/)
  expect(await problemOf(lines, '1,"2\n', lines)).toMatch(/^The quotation mark in line 300,001 is not closed/)
})

it('stops when it is cancelled', async () => {
  const abort = new AbortController()
  const shares: number[] = []
  const parts = ['x'.repeat(MIB), Uint8Array.of(0xfc), 'x'.repeat(MIB)]
  const problem = await textProblem(new Blob(parts), 'Comma', abort.signal, (share) => {
    shares.push(share)
    abort.abort()
  })
  expect([problem, shares.length]).toEqual([null, 1])
})
