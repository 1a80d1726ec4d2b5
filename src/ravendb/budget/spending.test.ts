import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planAll, planParts, pollPart } from './plan.ts'
import { pauseMs, Spending } from './spending.ts'

describe('what a socket costs', () => {
  it('counts the last while, without the first frame, which is history', () => {
    const spending = new Spending(1000, 0.008, 4)
    expect(spending.at(2000)).toEqual({ openMs: 1000, spentMs: 4, openingMs: 4, share: 0.008, isReceived: false })
    spending.add(2000, 300)
    expect(spending.at(3000)).toEqual({
      openMs: 2000,
      spentMs: 304,
      openingMs: 304,
      share: 0.008,
      isReceived: true,
    })
    for (let ms = 3000; ms <= 62_000; ms += 1000) spending.add(ms, 10)
    expect(spending.at(62_000).spentMs).toBe(904)
    expect(spending.at(62_000).share).toBeCloseTo(0.01, 2)
    expect(spending.at(122_000).share).toBe(0)
  })
})

describe('a pause', () => {
  const spent = (share: number, openMs = 10_000) => ({
    share,
    openMs,
    spentMs: share * openMs,
    openingMs: 0,
    isReceived: true,
  })

  it('is as long as brings the mean to the part that is allowed, five minutes at most', () => {
    expect(pauseMs(spent(0.01), 0.002)).toBeCloseTo(40_000)
    expect(pauseMs(spent(0.2), 0.001)).toBe(300_000)
  })

  it('is for those above their part, and not before they were open for a while', () => {
    expect(pauseMs(spent(0.0022), 0.002)).toBe(0)
    expect(pauseMs(spent(0.1, 4000), 0.002)).toBe(0)
    expect(pauseMs({ ...spent(0.01, 12_000), openingMs: 50 }, 0.002)).toBe(0)
    expect(pauseMs({ ...spent(0.01, 16_000), openingMs: 50 }, 0.002)).toBeGreaterThan(60_000)
    // Opening it again would cost more.
    expect(pauseMs(spent(0.0002), 0.00001)).toBe(0)
  })
})

describe('a socket whose frames are snapshots', () => {
  const probe = { share: 0.001, openMs: 2500, spentMs: 9, openingMs: 6, isReceived: true }

  it('is paused after its first frame, and a minute at most', () => {
    expect(pauseMs({ ...probe, isReceived: false }, 0.0005, true)).toBe(0)
    expect(pauseMs(probe, 0.0005, true)).toBe(15_500)
    expect(pauseMs(probe, 0.00001, true)).toBe(60_000)
    expect(pauseMs(probe, 0.001, true)).toBe(0)
  })
})

describe('the plan', () => {
  const socket = (share: number, isKept = false, isVital = false) => ({ share, isKept, isVital, isFront: false })
  const poll = (share: number, least = 0, vital = 0) => ({ share, least, vital, isFront: false })

  it('leaves the cheap ones alone and divides what is left evenly', () => {
    expect(planParts({ polls: [poll(0.0005), poll(0.01)], sockets: [socket(0.02)] }, 0.0045).others).toBeCloseTo(0.002)
    expect(planParts({ polls: [poll(0.0004)], sockets: [socket(0.004)] }, 0.0045).others).toBeGreaterThanOrEqual(0.004)
    expect(planParts({ polls: [], sockets: [] }, 0.0045)).toEqual({ kept: Infinity, others: Infinity, ofLeast: 1 })
  })

  it('holds those back last that are kept', () => {
    const { kept, others } = planParts({ polls: [poll(0.01)], sockets: [socket(0.003, true), socket(0.01)] }, 0.0045)
    expect(kept).toBeGreaterThanOrEqual(0.003)
    expect(others).toBeCloseTo(0.00075)
    const expensive = planParts({ polls: [poll(0.01)], sockets: [socket(0.01, true)] }, 0.005)
    expect(expensive.kept).toBeCloseTo(0.00425)
    expect(expensive.others).toBeCloseTo(0.00075)
    expect(planParts({ polls: [poll(0.0001)], sockets: [socket(0.01, true)] }, 0.005).kept).toBeCloseTo(0.0049)
  })

  it('grants first what a page in sight is on, up to half of what is allowed', () => {
    const expensive = [socket(0.01, true)]
    const list = poll(0.0015, 0.0005)
    expect(pollPart(list, planParts({ polls: [list, poll(0.002)], sockets: expensive }, 0.004))).toBeGreaterThanOrEqual(
      0.0005,
    )
    const large = poll(0.06, 0.02)
    const parts = planParts({ polls: [large], sockets: expensive }, 0.004)
    expect(parts.ofLeast).toBeCloseTo(0.1)
    expect(pollPart(large, parts)).toBeCloseTo(0.002 + 0.0003)
  })

  it('takes what vital ones cost from what the others may use, but for a fifth of the limit', () => {
    const heartbeat = poll(0.0005, 0, 0.0005)
    const large = { polls: [heartbeat, poll(0.01)], sockets: [socket(0.0005, false, true)] }
    const parts = planParts(large, 0.005)
    expect(pollPart(heartbeat, parts)).toBe(0.0005)
    expect(parts.others).toBeCloseTo(0.004)
    expect(planParts({ polls: [poll(0.01)], sockets: [socket(0.02, false, true)] }, 0.005).others).toBeCloseTo(0.001)
    // Another page polls the same more often: what is vital of it continues, the rest is planned.
    expect(pollPart(poll(0.01, 0, 0.001), planParts({ polls: [poll(0.01, 0, 0.001)], sockets: [] }, 0.005))).toBe(0.005)
  })

  it('law: the panel in front stays within its limit, all else within the other, and vital ones are paid from that', () => {
    const share = fc.double({ min: 0.00001, max: 0.05, noNaN: true })
    const wants = fc.record({
      polls: fc.array(
        fc.record({ share, isVital: fc.boolean(), isFront: fc.boolean() }).map(({ share: all, isVital, isFront }) => ({
          share: all,
          least: 0,
          vital: isVital ? all : 0,
          isFront,
        })),
        { maxLength: 20 },
      ),
      sockets: fc.array(fc.record({ share, isKept: fc.boolean(), isVital: fc.boolean(), isFront: fc.boolean() }), {
        maxLength: 12,
      }),
    })
    const limit = fc.double({ min: 0.0005, max: 0.2, noNaN: true })
    fc.assert(
      fc.property(wants, limit, limit, ({ polls, sockets }, attended, background) => {
        const plan = planAll({ polls, sockets }, { attended, background })
        const spent = { front: 0, background: 0, vital: 0 }
        for (const want of polls) {
          const tier = want.isFront && want.vital === 0 ? 'front' : 'background'
          const part = pollPart(want, plan[tier])
          expect(part).toBeGreaterThanOrEqual(want.vital)
          spent[tier] += part
          spent.vital += want.vital
        }
        for (const { share: all, isKept, isVital, isFront } of sockets) {
          const tier = isFront && !isVital ? 'front' : 'background'
          spent[tier] += isVital ? all : Math.min(all, isKept ? plan[tier].kept : plan[tier].others)
          spent.vital += isVital ? all : 0
        }
        expect(spent.front).toBeLessThanOrEqual(attended * (1 + 1e-9))
        expect(spent.background).toBeLessThanOrEqual(Math.max(background, spent.vital + background * 0.2) * (1 + 1e-9))
      }),
    )
  })

  it('law: any polls and sockets, held back to their parts, cost no more than is allowed', () => {
    const wants = fc.array(
      fc
        .record({
          share: fc.double({ min: 0.00001, max: 0.05, noNaN: true }),
          part: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
          vital: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
        })
        .map(({ share, part, vital }) => poll(share, share * part, share * vital)),
      { maxLength: 40 },
    )
    const sockets = fc.array(
      fc.record({
        share: fc.double({ min: 0.00001, max: 0.05, noNaN: true }),
        isKept: fc.boolean(),
        isVital: fc.boolean(),
        isFront: fc.constant(false),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(wants, sockets, fc.double({ min: 0.0005, max: 0.2, noNaN: true }), (polls, open, allowed) => {
        const parts = planParts({ polls, sockets: open }, allowed)
        const sum = (shares: readonly number[]): number => shares.reduce((all, share) => all + share, 0)
        const planned =
          sum(polls.map((want) => pollPart(want, parts))) +
          sum(
            open.map(({ share, isKept, isVital }) =>
              isVital ? share : Math.min(share, isKept ? parts.kept : parts.others),
            ),
          )
        const vital =
          sum(polls.map((want) => want.vital)) + sum(open.map(({ share, isVital }) => (isVital ? share : 0)))
        for (const want of polls) expect(pollPart(want, parts)).toBeGreaterThanOrEqual(want.vital)
        const budget = Math.max(allowed, vital + allowed * 0.2)
        expect(planned).toBeLessThanOrEqual(budget * (1 + 1e-9))
        // Nothing of it is left where anything is held back.
        const wanted = sum([...polls, ...open].map(({ share }) => share))
        expect(planned).toBeGreaterThanOrEqual(Math.min(budget, wanted) * (1 - 1e-9))
      }),
    )
  })
})
