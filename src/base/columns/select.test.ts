import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Quantiles } from './select.ts'

test('law: quantiles equal those of the sorted values, by nearest rank', async () => {
  const value = fc.oneof(
    fc.nat({ max: 300 }),
    fc.nat({ max: 0x7fff_ffff }),
    fc.integer({ min: 0xffff_fff0, max: 0x1_0000_00ff }),
  )
  const share = fc.double({ min: 0.001, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 1, maxLength: 200 }),
      fc.array(share, { maxLength: 5 }),
      // Few values are kept as they are, many are counted in bins.
      fc.constantFrom(1, 60),
      async (some, shares, times) => {
        const values = Array.from({ length: times }, () => some).flat()
        const quantiles = new Quantiles()
        for (const each of values) quantiles.add(each)
        const sorted = values.toSorted((a, b) => a - b)
        expect(await quantiles.resolve(shares, (visit) => Promise.resolve(values.forEach(visit)))).toEqual(
          shares.map((each) => sorted[Math.max(1, Math.ceil(each * sorted.length - 1e-9)) - 1]),
        )
      },
    ),
    { numRuns: 40 },
  )
})

test('no values: not zero but unknown', async () => {
  expect(await new Quantiles().resolve([0.5], () => Promise.resolve())).toEqual([Number.NaN])
})
