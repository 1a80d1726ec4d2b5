import { describe, expect, test } from 'vitest'
import { ticksFromMs } from '../../base/ticks.ts'
import { KnownTime } from './known-time.ts'
import { ServerClock } from './server-clock.ts'

const T0 = Date.parse('2026-11-20T04:00:00Z')
const at = (second: number) => ticksFromMs(T0 + second * 1000)
const ms = (second: number) => T0 + second * 1000

/** Known time after the whole document, requested at second 0, with a newest row of long ago. */
function started() {
  const known = new KnownTime(new ServerClock())
  known.connecting(ms(0))
  known.arrived(ms(0.1))
  known.took(at(-600))
  return known
}

describe('known time of a live feed', () => {
  test('nothing is known before the whole document, and then all up to when it was asked for', () => {
    const known = new KnownTime(new ServerClock())
    expect(known.untilTicks).toBeNull()
    known.connecting(ms(0))
    known.arrived(ms(9))
    expect(known.untilTicks).toBeNull()
    known.took(Number.NaN)
    expect(known.untilTicks).toBe(at(0))
  })

  test('a frame extends it to a second before the end of its newest row, whenever it arrives', () => {
    const known = started()
    known.arrived(ms(6))
    known.took(at(2.5))
    expect(known.untilTicks).toBe(at(1.5))
    known.arrived(ms(9))
    known.took(Number.NaN)
    expect(known.untilTicks).toBe(at(1.5))
  })

  test('a heartbeat extends it to 5 s before, one that was held up does not', () => {
    const known = started()
    known.arrived(ms(20))
    expect(known.untilTicks).toBe(at(15))
    known.arrived(ms(60))
    known.arrived(ms(60.2))
    expect(known.untilTicks).toBe(at(55))
    known.arrived(ms(61))
    expect(known.untilTicks).toBe(at(55))
  })

  test('a frame is no heartbeat, whether it can be read or not', () => {
    const known = started()
    known.arrived(ms(20))
    known.framed()
    expect(known.untilTicks).toBe(at(0))
  })

  test('of a new connection only the whole document extends it', () => {
    const known = started()
    known.connecting(ms(50))
    known.arrived(ms(60))
    known.arrived(ms(65))
    expect(known.untilTicks).toBe(at(0))
    known.took(at(40))
    expect(known.untilTicks).toBe(at(50))
  })

  test('a clock that was set back takes it back', () => {
    const known = started()
    known.reset(at(-3600))
    expect(known.untilTicks).toBe(at(-3600))
  })
})
