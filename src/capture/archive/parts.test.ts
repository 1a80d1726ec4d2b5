import { expect, it } from 'vitest'
import { covers } from './parts.ts'

const DAY = 'io/node=a/day=2026-11-26/000000-to-235959'

it.each([
  ['the same groups', [`${DAY}.groups-0-1.parquet`], true],
  ['groups of two parts', [`${DAY}.groups-0-0.parquet`, `${DAY}.groups-1-3.parquet`], true],
  ['the whole file', [`${DAY}.parquet`], true],
  ['other groups of the file', [`${DAY}.groups-2-3.parquet`], false],
  ['a part of the groups', [`${DAY}.groups-1-3.parquet`], false],
])('a lost part of a file is read again by %s: %s, %s', (_, paths, isCovered) => {
  expect(covers(paths)(`${DAY}.groups-0-1.parquet`)).toBe(isCovered)
})

it('a lost file is read again as a whole only', () => {
  expect(covers([`${DAY}.groups-0-1.parquet`])(`${DAY}.parquet`)).toBe(false)
  expect(covers([`${DAY}.parquet`])(`${DAY}.parquet`)).toBe(true)
})
