import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { Backoff } from './reconnect.ts'

describe('Backoff', () => {
  it('doubles its ceiling from half a second to half a minute', () => {
    const backoff = new Backoff(() => 1 - 2 ** -53)
    expect(Array.from({ length: 9 }, () => backoff.next())).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
    backoff.reset()
    expect(backoff.next()).toBe(500)
  })

  law(
    'every pause is at least 0.1 s, at most its ceiling and 30 s, and all of that range is used',
    [fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 60 })],
    (chances) => {
      let turn = 0
      const backoff = new Backoff(() => chances[turn] ?? 0)
      for (; turn < chances.length; turn++) {
        const pauseMs = backoff.next()
        const ceilingMs = Math.min(30_000, 500 * 2 ** turn)
        expect(pauseMs).toBeGreaterThanOrEqual(100)
        expect(pauseMs).toBeLessThanOrEqual(ceilingMs)
        expect(Math.abs(pauseMs - Math.max(100, chances[turn]! * ceilingMs))).toBeLessThanOrEqual(0.5)
      }
    },
  )
})
