import { describe, expect, it } from 'vitest'
import { msFromTicks, ticksFromMs, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { ServerClock } from './server-clock.ts'

const NOW = Date.parse('2026-11-20T04:14:30.700Z')
const seen = (clock: ServerClock, atMs: number): number => msFromTicks(clock.at(atMs))

describe('the clock of a server', () => {
  it('is this browser’s own while nothing was seen, and as far behind as the freshest row', () => {
    const clock = new ServerClock()
    expect(seen(clock, NOW)).toBe(NOW)
    clock.observe(ticksFromMs(NOW - 9000), NOW)
    clock.observe(ticksFromMs(NOW - 400), NOW)
    clock.observe(ticksFromMs(NOW - 3000), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 400)
    clock.reset()
    expect(seen(clock, NOW)).toBe(NOW)
  })

  it('does not take the age of the last row of what is idle for the difference of the clocks', () => {
    const responses = new ServerClock()
    const clock = new ServerClock(responses)
    clock.observe(ticksFromMs(NOW - 13 * 60_000), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 13 * 60_000)
    responses.observe(ticksFromMs(NOW - 700), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 700)
    // A fresh row is exacter than the whole seconds of a response.
    clock.observe(ticksFromMs(NOW - 30), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 30)
  })

  it('believes rows before the clock of a proxy that is a little off, and answers where the clocks are hours apart', () => {
    const proxy = new ServerClock()
    const clock = new ServerClock(proxy)
    proxy.observe(ticksFromMs(NOW + 1000), NOW)
    clock.observe(ticksFromMs(NOW - 50), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 50)

    const ahead = new ServerClock()
    const apart = new ServerClock(ahead)
    ahead.observe(ticksFromMs(NOW + 3_600_000), NOW)
    apart.observe(ticksFromMs(NOW + 3_000_000), NOW)
    expect(seen(apart, NOW)).toBe(NOW + 3_600_000)
  })

  it('follows this computer’s clock when that is set, either way', () => {
    const clock = new ServerClock()
    const hourMs = 3_600_000
    const startMs = 1_800_000_000_000
    const observe = (fromS: number, toS: number, shiftMs: number): void => {
      for (let second = fromS; second <= toS; second++)
        clock.observe(ticksFromMs(startMs + second * 1000), startMs + second * 1000 + shiftMs + 40)
    }
    const off = (second: number, shiftMs: number): number =>
      (clock.at(startMs + second * 1000 + shiftMs) - ticksFromMs(startMs + second * 1000)) / TICKS_PER_SECOND
    observe(0, 60, 0)
    observe(61, 75, 3 * hourMs)
    expect(Math.abs(off(76, 3 * hourMs))).toBeLessThan(1)
    observe(76, 78, 0)
    expect(Math.abs(off(79, 0))).toBeLessThan(1)
  })

  it('does not follow what a slow way held back for a while', () => {
    const clock = new ServerClock()
    const startMs = 1_800_000_000_000
    for (let second = 0; second <= 60; second++)
      clock.observe(ticksFromMs(startMs + second * 1000), startMs + second * 1000)
    // A minute of frames, all at once.
    for (let second = 61; second <= 120; second++)
      clock.observe(ticksFromMs(startMs + second * 1000), startMs + 120_000)
    expect(clock.at(startMs + 121_000)).toBe(ticksFromMs(startMs + 121_000))
  })
})
