import { describe, expect, it } from 'vitest'
import { Governor } from '../../../../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../../../../testing/fake-raven.ts'
import { FailingPolls, readFailing } from './failing-indexes.ts'

const STATS = {
  Results: [
    { Name: 'Fine', State: 'Normal', ErrorsCount: 0 },
    { Name: 'Some', State: 'Normal', ErrorsCount: 12 },
    { Name: 'Many', State: 'Normal', ErrorsCount: 400 },
    { Name: 'Broken', State: 'Error', ErrorsCount: 100 },
  ],
}

function setup() {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  for (const name of ['orders', 'users']) raven.databases.set(name, 'loaded')
  raven.on(/\/indexes\/stats/, () => STATS)
  const polls = new FailingPolls()
  const of = (name: string, indexingErrors: number, online = true) => ({
    name,
    grewTicks: 1,
    overview: { online, erroredIndexes: 1, indexingErrors },
  })
  const polled = () => raven.paths(/indexes\/stats/)
  return { raven, governor, polls, of, polled }
}

describe('which indexes fail', () => {
  it('those with errors, the ones that stopped first, then most errors first', () => {
    expect(readFailing(STATS)).toEqual([
      { index: 'Broken', isErrored: true, errors: 100 },
      { index: 'Many', isErrored: false, errors: 400 },
      { index: 'Some', isErrored: false, errors: 12 },
    ])
    expect(() => readFailing({})).toThrow('$.Results')
  })

  it('is asked once for each change of their number, at most every 30 s', async () => {
    const { raven, governor, polls, of, polled } = setup()
    expect(await polls.next(governor, [of('orders', 512)])).toEqual({ database: 'orders', indexes: readFailing(STATS) })
    expect(await polls.next(governor, [of('orders', 512)])).toBeNull()
    // The number of errors grows each second.
    for (let second = 1; second < 30; second++) {
      await raven.clock.advance(1000)
      expect(await polls.next(governor, [of('orders', 512 + second)])).toBeNull()
    }
    await raven.clock.advance(1000)
    expect(await polls.next(governor, [of('orders', 600)])).not.toBeNull()
    await raven.clock.advance(600_000)
    expect(await polls.next(governor, [of('orders', 600)])).toBeNull()
    expect(polled()).toEqual(['/databases/orders/indexes/stats', '/databases/orders/indexes/stats'])
  })

  it('is asked at once when errors grow after they were quiet, and then as seldom', async () => {
    const { raven, governor, polls, of } = setup()
    const quiet = { ...of('orders', 7), grewTicks: null }
    expect(await polls.next(governor, [quiet])).not.toBeNull()
    await raven.clock.advance(1000)
    expect(await polls.next(governor, [quiet])).toBeNull()
    expect(await polls.next(governor, [of('orders', 12)])).not.toBeNull()
    await raven.clock.advance(1000)
    expect(await polls.next(governor, [of('orders', 13)])).toBeNull()
  })

  it('is asked once of each, also of very many whose errors are old', async () => {
    const { raven, governor, polls, of } = setup()
    const all = Array.from({ length: 501 }, (_, i) => ({ ...of(`db${String(i)}`, 1), grewTicks: null }))
    for (const { name } of all) raven.databases.set(name, 'loaded')
    const reported = new Set<string>()
    for (const _ of all) {
      const next = await polls.next(governor, all)
      if (next !== null) reported.add(next.database)
      await raven.clock.advance(20)
    }
    expect(reported.size).toBe(501)
    expect(await polls.next(governor, all)).toBeNull()
  })

  it('asks one after the other, and never one that is not loaded', async () => {
    const { governor, polls, of, polled } = setup()
    const all = [of('gone', 3, false), of('orders', 3), of('users', 3)]
    const first = polls.next(governor, all)
    expect(await polls.next(governor, all)).toBeNull()
    expect((await first)?.database).toBe('orders')
    expect((await polls.next(governor, all))?.database).toBe('users')
    expect(await polls.next(governor, all)).toBeNull()
    expect(polled()).toEqual(['/databases/orders/indexes/stats', '/databases/users/indexes/stats'])
  })

  it('is not known where it is refused, and is not asked again and again for it', async () => {
    const { raven, governor, polls, of, polled } = setup()
    raven.on(/\/indexes\/stats/, () => json({ Type: 'Forbidden', Message: 'no' }, 403))
    expect(await polls.next(governor, [of('orders', 3)])).toBeNull()
    expect(await polls.next(governor, [of('orders', 3)])).toBeNull()
    expect(polled()).toHaveLength(1)
    await raven.clock.advance(30_000)
    expect(await polls.next(governor, [of('orders', 3)])).toBeNull()
    expect(polled()).toHaveLength(2)
  })
})
