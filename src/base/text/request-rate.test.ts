import { expect, it } from 'vitest'
import { describeRequests } from './request-rate.ts'

it.each([
  [12.9, 12.9, 'no requests but ours (12.9 a second)'],
  [12.9, 5.05, '12.9 requests a second (5.05 of them ours)'],
  [1340, 5, '1,340 requests a second'],
  [12.9, null, '12.9 requests a second (ours included)'],
  [0, null, '0 requests a second'],
  [0, 0, '0 requests a second'],
])('%d requests a second, %s of them ours, are “%s”', (perSecond, ours, words) => {
  expect(describeRequests(perSecond, ours)).toBe(words)
})
