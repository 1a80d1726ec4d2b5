import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { packColumn, packedBytes, readPacked, unpackColumn } from './packed-column.ts'

const anyNumbers = fc.oneof(
  fc.array(fc.nat({ max: 255 })),
  fc.array(fc.integer({ min: 1e15, max: 1e15 + 70_000 })),
  fc.array(fc.maxSafeInteger()),
  fc.array(fc.double()),
)

describe('packed column', () => {
  law('every value is read back as it was, one by one and as a whole', [anyNumbers], (numbers) => {
    const column = packColumn(Float64Array.from(numbers), numbers.length)
    const whole = new Float64Array(numbers.length + 2)
    unpackColumn(column, whole, 1)
    numbers.forEach((number, i) => {
      // The sign of a zero is not kept, and means nothing in a table.
      for (const read of [readPacked(column, i), whole[i + 1]])
        expect(read === number || (Number.isNaN(number) && Number.isNaN(read)), `${String(read)} of ${number}`).toBe(
          true,
        )
    })
  })

  test('equal values cost nothing, close ones one byte each', () => {
    expect(packedBytes(packColumn(new Float64Array(1000).fill(33_554_432), 1000))).toBe(0)
    expect(
      packedBytes(
        packColumn(
          Float64Array.from({ length: 1000 }, (_, i) => 1e15 + (i % 256)),
          1000,
        ),
      ),
    ).toBe(1000)
  })
})
