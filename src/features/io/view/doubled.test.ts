import { expect, test } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { generateIo } from '../../../testing/generated/generated-io.ts'
import { describeDoubled } from './doubled.ts'
import type { IoLane } from '../../../feeds/io/contract/lanes.ts'

const { lanes, startTicks, endTicks } = generateIo({
  seed: 3,
  databases: ['shop'],
  indexes: 2,
  seconds: 60,
  unknownKind: false,
})
const range = { startTicks, endTicks }
const shop = lanes.filter(({ source }) => source === 'db:shop')
const from = (source: string, parts: Partial<IoLane> = {}): IoLane[] => {
  const lanesOf: IoLane[] = []
  for (const lane of shop) lanesOf.push({ ...lane, id: `${source}|${lane.path}`, source, ...parts })
  return lanesOf
}

test('a file of the very database that is watched is said to count twice', () => {
  expect(describeDoubled([...lanes, ...from('file:day.zip/shop')], range)).toBe(
    `shop and day.zip/shop report the same ${shop.length} environments at the same times`,
  )
})

test('other environments, other times, and a range with one of them only are no doubles', () => {
  const elsewhere = from('file:b', { path: '/other' })
  const afterwards = { firstTicks: (endTicks + 10) as Ticks, lastTicks: (endTicks + 20) as Ticks }
  const later = from('file:b', { kinds: [{ ...shop[0]!.kinds[0]!, ...afterwards }] })
  expect(describeDoubled(lanes, range)).toBe('')
  expect(describeDoubled([...lanes, ...elsewhere], range)).toBe('')
  expect(describeDoubled([...lanes, ...later], { startTicks, endTicks: (endTicks + 30) as Ticks })).toBe('')
  const after = { startTicks: (endTicks + 100) as Ticks, endTicks: (endTicks + 200) as Ticks }
  expect(describeDoubled([...lanes, ...from('file:b')], after)).toBe('')
})

test('nodes of a package have storages of one path, which are not the same', () => {
  const node = (tag: string): IoLane[] => from(`file:all.zip/1 - Node - [${tag}].zip/shop`)
  expect(describeDoubled([...node('A'), ...node('B')], range)).toBe('')
  expect(describeDoubled([...node('A'), ...lanes], range)).not.toBe('')
})
