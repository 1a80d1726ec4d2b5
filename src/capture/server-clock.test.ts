import { describe, expect, it } from 'vitest'
import { msFromTicks, ticksFromMs } from '../base/ticks.ts'
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
    const answers = new ServerClock()
    const clock = new ServerClock(answers)
    clock.observe(ticksFromMs(NOW - 13 * 60_000), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 13 * 60_000)
    answers.observe(ticksFromMs(NOW - 700), NOW)
    expect(seen(clock, NOW)).toBe(NOW - 700)
    // A fresh row is exacter than the whole seconds of an answer.
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
})
