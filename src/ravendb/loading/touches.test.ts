import { describe, expect, it } from 'vitest'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'

/** A server whose database `db` had its last work at `work`, which each request to it moves. */
function setup() {
  const raven = new FakeRaven()
  raven.databases.set('db', 'loaded')
  const state = { work: 0, isActive: false, listed: true }
  const entry = () => ({
    Name: 'db',
    IsLoaded: true,
    LastWork: `2026-11-26T10:00:00.${String(state.work).padStart(7, '0')}Z`,
    HasActiveOperations: state.isActive,
  })
  raven.on(/databases\/idle/, () => ({
    MaxIdleTime: '00:15:00',
    Results: state.listed ? [entry()] : [],
  }))
  raven.on(/^\/databases\/db\//, () => ({ read: ++state.work }))
  const governor = new Governor(raven.env)
  const read = async (): Promise<unknown> =>
    (await governor.json<{ read: number }>('indexesStats', { database: 'db' })).read
  const touches = (): number => raven.paths(/^\/databases\/db\//).length
  return { raven, governor, state, read, touches }
}

describe('a database without other work', () => {
  it('is read once, however often it is shown, and the age of what was read is known', async () => {
    const { raven, governor, read, touches } = setup()
    const atMs = raven.clock.nowMs
    expect(await read()).toBe(1)
    for (let minute = 0; minute < 60; minute++) {
      await raven.clock.advance(60_000)
      expect(await read()).toBe(1)
    }
    expect(touches()).toBe(1)
    expect(governor.readMs('indexesStats', { database: 'db' })).toBe(atMs)
  })

  it('is read again once the server’s time of its last work has moved', async () => {
    const { raven, state, read } = setup()
    await read()
    await raven.clock.advance(3000)
    await read()
    state.work = 100
    await raven.clock.advance(3000)
    expect(await read()).toBe(101)
  })

  it('is read again by what this page was told of', async () => {
    const { governor, raven, read } = setup()
    await read()
    governor.databaseWorked('DB')
    expect(await read()).toBe(2)
    governor.databaseChanged('db')
    expect(await read()).toBe(3)
    governor.setViewOnly(false)
    const path = '/databases/db/admin/indexes/stop'
    const write = {
      method: 'POST',
      path,
      route: path,
      body: null,
      right: 'DatabaseAdmin',
      database: 'db',
      timeoutMs: 1000,
    } as const
    await governor.write(write).catch(() => undefined)
    expect(await read()).toBeGreaterThan(3)
    await raven.clock.advance(3000)
  })

  it('is read where a state must not be older than the request, and what came is used from then on', async () => {
    const { governor, read } = setup()
    await read()
    await governor.json('indexesStats', { database: 'db' }, { isFresh: true })
    expect(await read()).toBe(2)
  })

  it('keeps the refusal of a request as well', async () => {
    const { raven, governor, state, touches } = setup()
    raven.on(/suggest-index-merge/, () => {
      state.work++
      return json({ Type: 'LicenseLimitException', Message: 'no' }, 402)
    })
    for (let n = 0; n < 5; n++) {
      await expect(governor.json('indexMerges', { database: 'db' })).rejects.toMatchObject({ kind: 'licence' })
      await raven.clock.advance(3000)
    }
    expect(touches()).toBe(1)
  })

  it('is not asked once for what the user has not chosen', async () => {
    const { raven, governor, state, touches } = setup()
    const request = (): Promise<unknown> => governor.json('operations', { database: 'db' }, { afterWorkOnly: true })
    await expect(request()).rejects.toMatchObject({ kind: 'database-resting' })
    await raven.clock.advance(3000)
    await expect(request()).rejects.toMatchObject({ kind: 'database-resting' })
    expect(touches()).toBe(0)
    state.listed = false
    await raven.clock.advance(3000)
    await request()
    expect(touches(), 'nothing is known of one that is loaded and not listed').toBe(1)
  })

  it('is asked for what the user has not chosen once something runs in it', async () => {
    const { raven, governor, state, touches } = setup()
    const request = (): Promise<unknown> => governor.json('operations', { database: 'db' }, { afterWorkOnly: true })
    await expect(request()).rejects.toMatchObject({ kind: 'database-resting' })
    state.isActive = true
    await raven.clock.advance(3000)
    await request()
    expect(touches()).toBe(1)
  })
})

describe('a database that others use', () => {
  it('is read as often as is wanted while something holds it loaded', async () => {
    const { raven, state, read, touches } = setup()
    state.isActive = true
    for (let n = 0; n < 10; n++) {
      await read()
      await raven.clock.advance(3000)
    }
    expect(touches()).toBe(10)
  })

  it('is read once more when nothing holds it any longer, though the time of its last work stays', async () => {
    const { raven, state, read, touches } = setup()
    state.isActive = true
    await read()
    await raven.clock.advance(3000)
    await read()
    state.isActive = false
    for (let n = 0; n < 10; n++) {
      await raven.clock.advance(3000)
      await read()
    }
    expect(touches()).toBe(3)
  })

  it('is read again once, and then more and more seldom, while only the time of its last work moves', async () => {
    const { raven, state, read, touches } = setup()
    for (let n = 0; n < 40; n++) {
      await read()
      state.work += 10
      await raven.clock.advance(3000)
    }
    expect(touches()).toBe(2)
    await raven.clock.advance(600_000)
    await read()
    expect(touches()).toBe(3)
  })

  it('is let go by nine observers, whose requests look like use to each other', async () => {
    const { raven, state, touches } = setup()
    const nine = Array.from({ length: 9 }, () => new Governor(raven.env))
    const firstMs = raven.clock.nowMs
    let lastTouchMs = 0
    for (let n = 0; n < 100; n++) {
      const before = touches()
      for (const each of nine) await each.json('indexesStats', { database: 'db' })
      if (touches() > before) lastTouchMs = raven.clock.nowMs
      await raven.clock.advance(5000)
    }
    expect(touches()).toBeLessThanOrEqual(18)
    expect(lastTouchMs - firstMs).toBeLessThan(20_000)
    expect(state.work).toBe(touches())
  })
})

it('does not wait for itself where every request waits for it', async () => {
  const { raven, governor, touches } = setup()
  const keys = ['indexesStats', 'indexesProgress', 'collectionsStats', 'storageReport', 'databaseStats'] as const
  const readAll = (): Promise<unknown> => Promise.all(keys.map((key) => governor.json(key, { database: 'db' })))
  await readAll()
  await raven.clock.advance(3000)
  await readAll()
  expect(touches()).toBe(keys.length)
})

it('judges by the list of databases where the times may not be read', async () => {
  const { raven, read, touches } = setup()
  raven.on(/databases\/idle/, () => json({ Type: 'InvalidAuth', Message: 'no' }, 403))
  let documents = 1
  let upTime = 10
  raven.on(/^\/databases\?/, () => ({
    Databases: [{ Name: 'db', UpTime: `00:00:${upTime++}`, DocumentsCount: documents }],
  }))
  for (let n = 0; n < 5; n++) {
    await read()
    await raven.clock.advance(3000)
  }
  expect(touches()).toBe(1)
  documents = 2
  await raven.clock.advance(3000)
  await read()
  expect(touches()).toBe(2)
})

it('forgets what it read of a server that was away: another one may answer at this address', async () => {
  const { raven, governor, read } = setup()
  await read()
  raven.up = false
  await governor.json('serverId').catch(() => undefined)
  raven.up = true
  expect(await read()).toBe(2)
})
