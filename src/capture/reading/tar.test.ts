import { expect, test, vi } from 'vitest'
import { bytesAfterTar } from './tar.ts'

test('a long tail of zeros is read in large pieces, up to what follows', async () => {
  const tail = new Uint8Array(3 << 20)
  const blank = new Blob([tail])
  const reads = vi.spyOn(blank, 'slice')
  expect(await bytesAfterTar(blank)).toBe(0)
  expect(reads.mock.calls.length).toBeLessThan(10)
  expect(await bytesAfterTar(new Blob([tail, 'more']))).toBe(4)
})
