import { expect, it } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../../../base/ticks.ts'
import type { FleetServer } from '../../../capture/archive/fleet.ts'
import { isSilent, worstOf } from './fleet-rows.ts'

const HOUR = 3600 * TICKS_PER_SECOND
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (hours: number) => (TWO + hours * HOUR) as Ticks

const empty: FleetServer = {
  node: 'a_8080',
  url: 'http://a:8080',
  events: 0,
  writes: 0,
  slow: 0,
  slowTicks: 0,
  slowestTicks: 0,
  critical: 0,
  warning: 0,
  gapTicks: 0,
  lastTicks: null,
  slowestAt: null,
  findingsAt: null,
  gapAt: null,
}

it('shows the newest hour of a server of which nothing was wrong, and this one where no row is kept', () => {
  expect(worstOf({ ...empty, lastTicks: at(-5.5) }, 'slowTicks', at(0.5)).startTicks).toBe(at(-6))
  expect(worstOf(empty, 'slowTicks', at(0.5))).toEqual({ startTicks: at(0), endTicks: at(1) })
})

it('counts a server as silent when nothing came for twenty minutes: rows may come every ten', () => {
  expect(isSilent({ ...empty, lastTicks: at(0) }, at(0.2))).toBe(false)
  expect(isSilent({ ...empty, lastTicks: at(0) }, at(0.4))).toBe(true)
  expect(isSilent(empty, at(0))).toBe(true)
})
