import { describe, expect, test } from 'vitest'
import { WayChooser } from './way.ts'

const MB = 1024 * 1024
/** Half a percent of one core. */
const PROMISED = 0.005

/** An hour of a database with so many indexes and batches a second; returns the way of each minute. */
function hour(indexes: number, batchesPerSecond: number, wireRatio = 1 / 40) {
  const chooser = new WayChooser(0, 3000)
  const ways: string[] = []
  const batchBytes = 11_500
  const whole = indexes * 25 * batchBytes
  chooser.answered(0, whole, whole * wireRatio, indexes * 25, batchesPerSecond * 60)
  let changes = 0
  for (let ms = 3000; ms < 3_600_000; ms += 3000) {
    const fresh = batchesPerSecond * 3
    if (chooser.way === 'poll') chooser.answered(ms, whole, whole * wireRatio, indexes * 25, fresh)
    else chooser.framed(ms, fresh * batchBytes, fresh)
    if (chooser.decide(ms, PROMISED)) changes++
    if (ms % 60_000 === 0) ways.push(chooser.way)
  }
  return { chooser, ways, changes }
}

describe('the cheaper way', () => {
  test('an idle database is listened to, soon, so that polls do not keep it loaded', () => {
    const { ways, changes, chooser } = hour(50, 0)
    expect(new Set(ways)).toEqual(new Set(['socket']))
    expect(changes).toBe(1)
    expect(chooser.bytesPerMinute(3_600_000)).toBe(0)
  })

  test('50 busy indexes are polled: the socket would be tens of times as much', () => {
    const { ways, changes, chooser } = hour(50, 200)
    expect(new Set(ways)).toEqual(new Set(['poll']))
    expect(changes).toBe(0)
    const { socket, poll } = chooser.estimate(3_597_000)
    expect(socket).toBeGreaterThan(100 * MB)
    expect(socket / poll).toBeGreaterThan(10)
  })

  test('it follows what happens, and does not flutter', () => {
    const chooser = new WayChooser(0, 3000)
    const whole = 14 * MB
    chooser.answered(0, whole, whole / 40, 1250, 0)
    const ways: string[] = []
    for (let ms = 3000; ms < 1_800_000; ms += 3000) {
      const fresh = ms > 600_000 && ms < 1_200_000 ? 600 : 0
      if (chooser.way === 'poll') chooser.answered(ms, whole, whole / 40, 1250, fresh)
      else chooser.framed(ms, fresh * 11_500, fresh)
      if (chooser.decide(ms, PROMISED)) ways.push(chooser.way)
    }
    expect(ways).toEqual(['socket', 'poll', 'socket'])
  })

  test('polls that came too late make it listen, where that is within the promise', () => {
    const { chooser } = hour(50, 200)
    const promised = 0.05
    chooser.lapped(3_600_000)
    expect(chooser.decide(3_600_000, promised)).toBe(true)
    expect(chooser.way).toBe('socket')
    expect(chooser.why).toContain('too late')
    chooser.framed(3_700_000, 100 * MB, 10_000)
    expect(chooser.decide(3_700_000, promised)).toBe(false)
  })

  test('a socket that would cost more than the limit is not opened, and that is reported', () => {
    const { chooser } = hour(50, 200)
    expect(chooser.socketShare(3_597_000)).toBeCloseTo(0.03, 2)
    chooser.lapped(3_600_000)
    expect(chooser.decide(3_600_000, PROMISED)).toBe(false)
    expect(chooser.way).toBe('poll')
    expect(chooser.why).toMatch(/so some are missed.*would cost 3\S* % of a core, above the overhead limit of 0\.5 %/)
  })

  test('a socket that turns out to cost more than the limit is left, bytes or not', () => {
    const chooser = new WayChooser(0, 3000)
    // With a single index a response has the size of a frame.
    chooser.answered(0, 25 * 11_500, 25 * 11_500, 25, 0)
    for (let ms = 3000; ms <= 12_000; ms += 3000) {
      chooser.answered(ms, 25 * 11_500, 25 * 11_500, 25, 0)
      chooser.decide(ms, PROMISED)
    }
    expect(chooser.way).toBe('socket')
    for (let ms = 15_000; ms <= 30_000 && chooser.way === 'socket'; ms += 3000) {
      chooser.framed(ms, 2 * MB, 180)
      chooser.decide(ms, PROMISED)
    }
    expect(chooser.way).toBe('poll')
    expect(chooser.why).toMatch(/^The socket costs \S+ % of a core, above the overhead limit of 0\.5 %/)
  })

  test('a database without an index is listened to: polls, however small, would keep it loaded', () => {
    const chooser = new WayChooser(0, 3000)
    chooser.answered(0, 14, null, 0, 0)
    expect(chooser.decide(0, PROMISED)).toBe(true)
    expect(chooser.way).toBe('socket')
  })

  test('nothing is known before the first answer', () => {
    const chooser = new WayChooser(0, 3000)
    expect(chooser.bytesPerMinute(0)).toBeNull()
    expect(chooser.decide(100_000, PROMISED)).toBe(false)
  })
})
