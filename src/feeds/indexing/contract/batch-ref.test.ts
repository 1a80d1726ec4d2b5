import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../testing/law.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { formatBatchRef, parseBatchRef, sameBatch, splitIndexKey } from './batch-ref.ts'

describe('a batch in the URL', () => {
  law(
    'comes back as it went, whatever its index is called',
    [fc.nat(), fc.nat(), fc.string({ minLength: 1, unit: 'grapheme' })],
    (start, id, index) => {
      const ref = { index, startTicks: start as Ticks, id }
      expect(sameBatch(parseBatchRef(formatBatchRef(ref)), ref)).toBe(true)
    },
  )

  it('is not taken from what another panel has selected', () => {
    expect(parseBatchRef('JournalWrite~1~2~3~db:shop|/data')).toBeNull()
    expect(parseBatchRef(null)).toBeNull()
  })

  it('keeps bars in a name', () => {
    expect(splitIndexKey('db:shop|A|B')).toEqual({ source: 'db:shop', name: 'A|B' })
  })
})
