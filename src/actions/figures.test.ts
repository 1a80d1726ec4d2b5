import { expect, it } from 'vitest'
import { changeWords, figureVerdict, type Figure } from './figures.ts'

const bytes = (value: number | null, aim?: Figure['aim']): Figure => ({
  label: 'Not synced',
  unit: 'bytes',
  value,
  ...(aim === undefined ? {} : { aim }),
})
const cpu = (value: number, low: number, high: number): Figure => ({
  label: 'CPU',
  unit: 'percent',
  value,
  range: [low, high],
  aim: 'less',
})

it.each([
  [bytes(3 * 2 ** 20, 'less'), bytes(2 ** 20, 'less'), '2.00 MiB less'],
  [bytes(2 ** 20, 'less'), bytes(2 ** 20, 'less'), 'unchanged'],
  [bytes(2 ** 20, 'less'), bytes(3 * 2 ** 20, 'less'), '2.00 MiB more, not as intended'],
  // Unknown is not zero, and what has no aim is not judged.
  [bytes(null, 'less'), bytes(0, 'less'), ''],
  [undefined, bytes(0, 'less'), ''],
  [bytes(5), bytes(1), ''],
  // Means that vary by themselves.
  [cpu(180, 150, 200), cpu(20, 5, 40), '160 % less'],
  [cpu(60, 10, 90), cpu(20, 5, 40), 'no clear difference'],
])('%j against %j: %s', (before, after, words) => expect(figureVerdict(before, after)).toBe(words))

it('says of each side what was read, and that it was not', () => {
  const [before, after] = [[bytes(2 ** 20)], [bytes(0)]]
  expect(changeWords({ before, after }, 'Not synced')).toBe('1.00 MiB → 0 B')
  expect(changeWords({ before: null, after }, 'Not synced')).toBe('not known → 0 B')
  expect(changeWords({ before, after: null }, 'Not synced')).toBe('1.00 MiB → not known')
  expect(changeWords({ before: [bytes(null)], after }, 'Not synced')).toBe('— → 0 B')
  // Only one side has it, as how long it took.
  expect(changeWords({ before: [], after: [{ label: 'It took', unit: 'ms', value: 600 }] }, 'It took')).toBe('600 ms')
  expect(changeWords({ before: [cpu(180, 150, 200)], after: [cpu(20, 5, 40)] }, 'CPU')).toBe(
    '180 % (150 % to 200 %) → 20 % (5 % to 40 %)',
  )
})
