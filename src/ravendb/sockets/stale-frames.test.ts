import { expect, it } from 'vitest'
import { StaleFrames } from './stale-frames.ts'

const frame = (type: string): string => `{"Id":1,"Data":{"Type":"${type}","Date":"2026-11-20T04:02:41Z"}}`

it('drops the first frames of cached widgets after each opening, and no others', () => {
  const stale = new StaleFrames()
  const kept = (types: readonly string[]): string[] => types.filter((type) => !stale.isStale(frame(type)))
  const some = ['CpuUsage', 'MemoryUsage', 'Traffic', 'Traffic', 'MemoryUsage', 'Traffic', 'ServerTime']
  expect(kept(some)).toEqual(['CpuUsage', 'MemoryUsage', 'Traffic', 'ServerTime'])
  expect(kept(some)).toHaveLength(some.length)
  stale.opened()
  expect(kept(some)).toEqual(['CpuUsage', 'MemoryUsage', 'Traffic', 'ServerTime'])
})
