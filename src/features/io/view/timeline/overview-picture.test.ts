import { describe, expect, it } from 'vitest'
import { skyline } from './overview-picture.ts'

describe('skyline', () => {
  it('rises a fifth with each decade from 0.1 ms to 10 s and never hides an event', () => {
    expect([0, 1_000, 10_000, 1_000_000, 100_000_000, 1e12].map(skyline)).toEqual([0, 0.04, 0.2, 0.6, 1, 1])
  })
})
