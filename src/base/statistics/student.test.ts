import { describe, expect, it } from 'vitest'
import { normalQuantile, studentQuantile } from './student.ts'

describe('quantiles of distributions', () => {
  it.each([
    [0.5, 0],
    [0.975, 1.959964],
    [0.9995, 3.290527],
    [0.001, -3.090232],
  ])('normal at %f: %f', (share, expected) => {
    expect(normalQuantile(share)).toBeCloseTo(expected, 5)
  })

  it.each([
    [0.975, 5, 2.570582],
    [0.975, 30, 2.042272],
    [0.9995, 30, 3.645959],
    [0.995, 3, 5.840909],
    [0.025, 12, -2.178813],
  ])('Student’s t at %f with %i degrees of freedom: %f', (share, freedom, expected) => {
    expect(studentQuantile(share, freedom)).toBeCloseTo(expected, 4)
  })
})
