import { expect, expectTypeOf, test } from 'vitest'
import type { Bytes } from './brand.ts'
import { addSpan, type Ticks, type TickSpan } from './ticks.ts'

test('units do not mix', () => {
  const at = 5 as Ticks
  const span = 7 as TickSpan
  expectTypeOf<Ticks>().not.toEqualTypeOf<TickSpan>()
  // @ts-expect-error a length of time is not a point in time
  const wrong: Ticks = span
  // @ts-expect-error bytes are not a length of time
  addSpan(at, 4096 as Bytes)
  expect(wrong).toBe(7)
  expect(addSpan(at, span)).toBe(12)
})
