import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import { BUCKET_BYTES, SeriesTiers, TIERS, type TierSpec } from './series-tiers.ts'
import { TICKS_PER_SECOND } from '../ticks.ts'

const S = TICKS_PER_SECOND
const HOUR = 3600
const DAY = 24 * HOUR

/** Small tiers, so that rings turn many times: 8 × 1 s, 6 × 10 s, 4 × 60 s. */
const SMALL: readonly TierSpec[] = [
  { seconds: 1, buckets: 8, blockBuckets: 4, atOnce: true },
  { seconds: 10, buckets: 6, blockBuckets: 2, atOnce: true },
  { seconds: 60, buckets: 4, blockBuckets: 1, atOnce: false },
]

const all = (tiers: SeriesTiers, maxRows = 100_000) => tiers.rows(0, 1e17, maxRows, Number.POSITIVE_INFINITY)
const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

describe('SeriesTiers', () => {
  it('law: each tier keeps sums, counts and extremes of exactly the samples of its last buckets', () => {
    const samples = fc.array(fc.record({ step: fc.integer({ min: 0, max: 90 }), value: fc.integer() }), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(samples, (steps) => {
        for (const spec of SMALL) {
          const tiers = new SeriesTiers([spec])
          let at = 1000
          const taken = steps.map(({ step, value }) => ({ at: (at += step), value }))
          for (const sample of taken) expect(tiers.append(sample.at * S, sample.value)).toBe(true)
          const newest = Math.floor(at / spec.seconds)
          const kept = taken.filter((sample) => Math.floor(sample.at / spec.seconds) > newest - spec.buckets)
          const rows = tiers.rows(0, 1e15, 1e9, Number.POSITIVE_INFINITY)
          expect(sumOf(rows.sum)).toBe(kept.reduce((sum, { value }) => sum + value, 0))
          expect(sumOf(rows.count)).toBe(kept.length)
          expect(Math.max(...rows.max)).toBe(Math.max(...kept.map(({ value }) => value)))
          expect(Math.min(...rows.min)).toBe(Math.min(...kept.map(({ value }) => value)))
          expect([...rows.startTicks]).toEqual([...rows.startTicks].toSorted((a, b) => a - b))
        }
      }),
    )
  })

  law(
    'joining buckets into fewer rows changes no sum, count or extreme',
    [fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), fc.nat(50)],
    (values, most) => {
      const tiers = new SeriesTiers(
        [SMALL[2]!, { seconds: 1, buckets: 3600, blockBuckets: 300, atOnce: true }].slice(1),
      )
      values.forEach((value, second) => tiers.append((5000 + second) * S, value))
      const fine = tiers.rows(5000 * S, 5200 * S, 200, 1e15)
      const few = tiers.rows(5000 * S, 5200 * S, most + 1, 1e15)
      expect(few.length).toBeLessThanOrEqual(most + 2)
      expect(sumOf(few.count)).toBe(values.length)
      expect(sumOf(few.sum)).toBeCloseTo(sumOf(fine.sum), 3)
      expect(Math.max(...few.max)).toBe(Math.max(...values))
      expect(Math.min(...few.min)).toBe(Math.min(...values))
    },
  )

  it('answers thirty days from minutes, a day from tens of seconds and an hour from seconds', () => {
    const tiers = new SeriesTiers()
    const startS = 1_000_000 * 60
    for (let second = 0; second < 30 * DAY; second += 20) tiers.append((startS + second) * S, second % 100)
    const endTicks = (startS + 30 * DAY) * S
    const last = (seconds: number) => tiers.rows(endTicks - seconds * S, endTicks, 1000, 90 * S)
    expect([last(30 * DAY), last(DAY), last(HOUR)].map((rows) => rows.tierSeconds)).toEqual([60, 60, 1])
    expect(tiers.rows(endTicks - DAY * S, endTicks, 4000, 90 * S).tierSeconds).toBe(10)
    const month = last(30 * DAY)
    expect(month.length).toBeLessThanOrEqual(1001)
    expect(sumOf(month.count)).toBe((30 * DAY) / 20)
    expect(Math.max(...month.max)).toBe(80)
    expect(tiers.byteLength).toBe((3600 + 8640 + 43_200) * BUCKET_BYTES)
    expect(tiers.startTicks).toBe(startS * S)
  })

  it('a short time is answered by its seconds, however long the range that is asked', () => {
    const tiers = new SeriesTiers()
    for (let second = 0; second < 120; second++) tiers.append((1e6 + second) * S, second)
    const rows = tiers.rows((1e6 - DAY) * S, (1e6 + 200) * S, 1e6, 90 * S)
    expect(rows.tierSeconds).toBe(1)
    expect(rows.length).toBe(120)
  })

  it('puts a row of NaN into a gap, and none between samples of the ordinary beat', () => {
    const tiers = new SeriesTiers(SMALL)
    for (const second of [100, 103, 106]) tiers.append(second * S, 1)
    expect([...tiers.rows(0, 200 * S, 1000, 9 * S).sum]).toEqual([1, 1, 1])
    const rows = tiers.rows(0, 200 * S, 1000, 2 * S - 1)
    expect([...rows.sum]).toEqual([1, Number.NaN, 1, Number.NaN, 1])
    expect([...rows.startTicks].map((ticks) => ticks / S)).toEqual([100, 101, 103, 104, 106])
    expect([...rows.count]).toEqual([1, 0, 1, 0, 1])
  })

  it('refuses what is no number, from before 2020, or too old for every ring', () => {
    const tiers = new SeriesTiers(SMALL)
    expect(tiers.append(1000 * S, Number.NaN)).toBe(false)
    expect(tiers.append(-1, 1)).toBe(false)
    expect(tiers.append(Number.NaN, 1)).toBe(false)
    expect(tiers.append(100_000 * S, 1)).toBe(true)
    expect(tiers.append(1000 * S, 1)).toBe(false)
    expect(all(tiers).length).toBe(1)
  })

  it('takes a late sample into the bucket that it belongs to', () => {
    const tiers = new SeriesTiers(SMALL)
    tiers.append(1000 * S, 4)
    tiers.append(1003 * S, 1)
    tiers.append(1000.5 * S, 2)
    expect([...tiers.rows(0, 2000 * S, 1e6, 1e12).sum]).toEqual([6, 1])
  })

  it('forgets a future that did not come', () => {
    const tiers = new SeriesTiers(SMALL)
    tiers.append(1000 * S, 1)
    tiers.append(9_000_000 * S, 2)
    tiers.dropFrom(1001 * S)
    expect(tiers.append(1001 * S, 3)).toBe(true)
    expect(sumOf(all(tiers).sum)).toBe(3)
  })

  law(
    'stored and put back is the same, also in pieces',
    [fc.array(fc.tuple(fc.nat(400), fc.integer()), { maxLength: 40 }), fc.nat(40)],
    (samples, cut) => {
      const from = new SeriesTiers(SMALL)
      const to = new SeriesTiers(SMALL)
      samples
        .toSorted((a, b) => a[0] - b[0])
        .forEach(([second, value], row) => {
          from.append((second + 100) * S, value)
          if (row === cut) for (const block of from.takeChanged()) expect(to.restore(block)).toBe(true)
        })
      for (const block of from.takeChanged()) expect(to.restore(block)).toBe(true)
      expect(from.takeChanged()).toEqual([])
      expect(all(to)).toEqual(all(from))
      expect(to.endTicks).toEqual(from.endTicks)
    },
  )

  it('refuses a block of another shape', () => {
    const tiers = new SeriesTiers(SMALL)
    expect(tiers.restore({ tier: 0, block: 0, bytes: new ArrayBuffer(7) })).toBe(false)
    expect(tiers.restore({ tier: 9, block: 0, bytes: new ArrayBuffer(128) })).toBe(false)
    expect(tiers.restore({ tier: 0, block: 99, bytes: new ArrayBuffer(128) })).toBe(false)
  })

  it('holds as much after eight hours as after one, within 5 %', () => {
    for (const offset of [0, 3, 3.9, 100.5]) {
      const tiers = new SeriesTiers(TIERS)
      const at = (hours: number): number => (60_000_000 + (offset + hours) * HOUR) * S
      let second = 0
      for (; second < HOUR; second++) tiers.append(at(0) + second * S, second)
      const after1 = tiers.byteLength
      for (; second < 8 * HOUR; second += 3) tiers.append(at(0) + second * S, second)
      expect(tiers.byteLength / after1).toBeLessThan(1.05)
    }
  })
})
