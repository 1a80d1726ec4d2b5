import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planRests, Spending } from './spending.ts'

describe('what a socket costs', () => {
  it('is told without its first frame, which is history, and of the last while', () => {
    const spending = new Spending(1000)
    expect(spending.at(2000)).toEqual({ openMs: 1000, spentMs: 0, share: 0 })
    spending.add(2000, 300)
    expect(spending.at(3000)).toEqual({ openMs: 2000, spentMs: 300, share: 0 })
    for (let ms = 3000; ms <= 62_000; ms += 1000) spending.add(ms, 10)
    expect(spending.at(62_000).spentMs).toBe(900)
    expect(spending.at(62_000).share).toBeCloseTo(0.01, 2)
    expect(spending.at(122_000).share).toBe(0)
  })
})

describe('the plan of rests', () => {
  const socket = (share: number, openMs = 10_000, hasHistory = false) => ({
    share,
    openMs,
    spentMs: share * openMs,
    hasHistory,
  })

  it('leaves the cheap ones alone and divides the rest evenly', () => {
    expect(planRests([socket(0.0005), socket(0.01), socket(0.02)], 0.0045)).toEqual([
      0,
      expect.closeTo(40_000),
      // Its part would be a rest of 90 s: none is longer than a minute.
      60_000,
    ])
    expect(planRests([socket(0.0004), socket(0.004)], 0.0045)).toEqual([0, 0])
    expect(planRests([], 0.0045)).toEqual([])
  })

  it('has those rest first that need not send their history again', () => {
    expect(planRests([socket(0.003, 10_000, true), socket(0.01)], 0.0045)).toEqual([0, expect.closeTo(56_667, -1)])
  })

  it('lets each be open for a while', () => {
    expect(planRests([socket(0.1, 4000)], 0.0045)).toEqual([0])
  })

  it('law: with its rests no set of sockets costs more than a fifth above what is allowed', () => {
    const shares = fc.array(fc.double({ min: 0.0001, max: 0.02, noNaN: true }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(shares, fc.double({ min: 0.06, max: 0.1, noNaN: true }), (all, allowed) => {
        const rests = planRests(
          all.map((share, at) => socket(share, 10_000, at % 2 === 0)),
          allowed,
        )
        const mean = all.map((share, at) => (share * 10_000) / (10_000 + (rests[at] ?? 0)))
        expect(mean.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(allowed * 1.2 + 1e-9)
      }),
    )
  })
})
