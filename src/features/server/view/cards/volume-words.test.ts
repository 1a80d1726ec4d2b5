import { expect, it } from 'vitest'
import { describeRoom } from './volume-words.ts'

it.each([
  [9.8, 10.1, '0.3'],
  [9.8, 10.19, '0.3'],
  [9.8, 210.7, '200'],
])('rounds the rest down, by its decimals: %s of a measured %s', (used, ceiling, left) => {
  const room = { used, ceiling, share: used / ceiling, left: ceiling - used, from: 'measured' } as const
  expect(describeRoom(room, 'IOPS')).toMatch(new RegExp(` seen .*, at least ${left} left$`))
})
