import { expect, it } from 'vitest'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { LOADS_CODE_MS, OwnRequests } from './own-requests.ts'

it('counts requests of all databases together only for the time in which it received them', async () => {
  const { env, clock } = new FakeRaven()
  await clock.advance(1000)
  const own = new OwnRequests(env)
  // Files of the page are requests to the server, too, and are not among these.
  await clock.advance(LOADS_CODE_MS)
  expect(own.countAll(1000)).toBeNull()
  await clock.advance(5000)
  own.sent('/build/version', null)
  own.sent('/databases/db/stats', 'db')
  await clock.advance(5000)
  own.sent('/databases/db/stats', 'db')
  expect([own.countAll(1000), own.countAll(10_000), own.countAll(10_001)]).toEqual([1, 3, null])
})

it('does not know how many there were in a time of which it dropped some', async () => {
  const { env, clock } = new FakeRaven()
  const own = new OwnRequests(env)
  await clock.advance(LOADS_CODE_MS + 20_000)
  own.sent('/databases/db/docs', 'db')
  await clock.advance(10_000)
  for (let request = 0; request < 2000; request++) own.sent('/databases/db/docs', 'db')
  expect([own.countAll(10_000), own.countAll(10_001)]).toEqual([2000, null])
  own.sent('/databases/db/docs', 'db')
  expect(own.countAll(1)).toBeNull()
})

it('finds the busiest seconds of a database, wherever they are in the time', async () => {
  const { env, clock } = new FakeRaven()
  const own = new OwnRequests(env)
  for (let request = 0; request < 8; request++) {
    own.sent('/databases/db/stats', 'DB')
    own.sent('/databases/other/stats', 'other')
    await clock.advance(50)
  }
  await clock.advance(7000)
  own.sent('/databases/db/stats', 'db')
  expect([own.count('db', 5000), own.most('db', 5000, 10_000), own.most('db', 5000, 5000)]).toEqual([1, 8, 1])
  // A request each second makes five in five seconds, not ten.
  for (let second = 0; second < 12; second++) {
    own.sent('/databases/slow/stats', 'slow')
    await clock.advance(1000)
  }
  expect(own.most('slow', 5000, 10_000)).toBe(5)
})

it('does not know what a page sent that was reloaded', async () => {
  const { env, clock } = new FakeRaven()
  const own = new OwnRequests(env)
  await clock.advance(9999)
  expect(own.isKnown(10_000)).toBe(false)
  await clock.advance(1)
  expect(own.isKnown(10_000)).toBe(true)
})
