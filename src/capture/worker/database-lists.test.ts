import { describe, expect, it } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { LocalTabs } from '../../ravendb/tabs/local-tabs.ts'
import { FakeRaven, json, settle } from '../../testing/fake-raven.ts'
import { DatabaseLists, type ListedDatabases } from './database-lists.ts'

function setup(pages = 1) {
  const raven = new FakeRaven()
  raven.env.tabs = new LocalTabs()
  let names = ['a']
  raven.on(/^\/databases\?/, () => ({ Databases: names.map((Name) => ({ Name })) }))
  raven.on(/databases\/state/, () => ({ Databases: [] }))
  raven.on(/databases\/idle/, () => ({ Results: [] }))
  const governors = Array.from({ length: pages }, () => new Governor(raven.env))
  const lists = governors.map((governor) => new DatabaseLists(governor))
  const requested = (): number => raven.paths(/^\/databases\?/).length
  return { raven, governors, lists, requested, set: (now: string[]) => void (names = now) }
}

/** First list: the request goes out when the clock goes on. */
async function first(raven: FakeRaven, list: DatabaseLists): Promise<ListedDatabases> {
  const [response] = await Promise.all([list.request(null), raven.clock.advance(1)])
  if (response === null) throw new Error('there is no list')
  return response
}

describe('the list of databases', () => {
  it('is requested at its pace, however often panels ask, and reported only where it is new', async () => {
    const { raven, lists, requested, set } = setup()
    const [list] = lists
    const { rows, version } = await first(raven, list!)
    expect(rows.map(({ name }) => name)).toEqual(['a'])
    for (let ms = 0; ms < 4000; ms += 200) {
      await raven.clock.advance(200)
      expect(await list!.request(version)).toBeNull()
    }
    expect(requested()).toBe(1)
    set(['a', 'b'])
    await raven.clock.advance(2000)
    expect((await list!.request(version))?.rows).toHaveLength(2)
    expect(requested()).toBe(2)
  })

  it('is requested once for all pages of a browser, and not when no panel wants it', async () => {
    const { raven, lists, requested } = setup(3)
    await Promise.all(lists.map((list) => first(raven, list)))
    for (let ms = 0; ms < 60_000; ms += 2000) {
      await Promise.all(lists.map((list) => list.request(null)))
      await raven.clock.advance(2000)
    }
    expect(requested()).toBeLessThanOrEqual(14)
    await raven.clock.advance(20_000)
    const before = requested()
    await raven.clock.advance(120_000)
    expect(requested()).toBe(before)
  })

  it('is requested again at once when the server says that a database changed, and once more when that has settled', async () => {
    const { raven, governors, lists, requested, set } = setup()
    const [list] = lists
    const { version } = await first(raven, list!)
    set([])
    governors[0]!.databaseChanged('a')
    await raven.clock.advance(1)
    expect((await list!.request(version))?.rows).toEqual([])
    expect(requested()).toBe(2)
    for (let change = 0; change < 50; change++) governors[0]!.databaseChanged('a')
    await raven.clock.advance(1000)
    expect(requested()).toBe(3)
  })

  it('that is not shown is not requested because of a change', async () => {
    const { raven, governors, requested } = setup()
    governors[0]!.databaseChanged('a')
    await raven.clock.advance(5000)
    expect(requested()).toBe(0)
  })

  it('is waited for however long a slow server takes for its parts', async () => {
    const { raven, lists } = setup()
    raven.latencyMs = 9000
    const requested = lists[0]!.request(null)
    await raven.clock.advance(60_000)
    expect((await requested)?.rows.map(({ name }) => name)).toEqual(['a'])
  })

  it('goes slower where the overhead limit asks for it', async () => {
    const { raven, requested } = setup()
    const governor = new Governor(raven.env)
    governor.overhead.setLimits({ attended: 0.02, background: 0.0005 })
    const list = new DatabaseLists(governor)
    await first(raven, list)
    for (let ms = 0; ms < 120_000; ms += 2000) {
      await list.request(null)
      await raven.clock.advance(2000)
    }
    // 3.4 to 6.7 ms of CPU: 0.45 ms a second are one in 7 to 15 s, where one in 5 s was planned.
    expect(requested()).toBeLessThanOrEqual(17)
    expect(governor.meter().slowed).toContain('sent less often')
  })

  it('says what went wrong, and asks at once at a click', async () => {
    const { raven, lists, requested } = setup()
    const [list] = lists
    await first(raven, list!)
    raven.on(/^\/databases\?/, () => json({ Type: 'X', Message: 'later' }, 503))
    await raven.clock.advance(6000)
    await expect(list!.request(1)).rejects.toMatchObject({ kind: 'busy' })
    raven.on(/^\/databases\?/, () => ({ Databases: [] }))
    const before = requested()
    expect((await list!.renew(new AbortController().signal)).rows).toEqual([])
    expect(requested()).toBe(before + 1)
    await settle()
    expect((await list!.request(1))?.rows).toEqual([])
  })

  it('keeps what was known of one that is locked while it is restarted or compacted, or fails to load', async () => {
    const { raven, lists, governors } = setup()
    const lastBackup = { LastBackup: '2026-11-22T00:39:54.0000000' }
    const whole = { Name: 'a', UpTime: '00:01:00', DocumentsCount: 7, LockMode: 'Unlock', BackupInfo: lastBackup }
    let entry: object = whole
    raven.on(/^\/databases\?/, () => ({ Databases: [entry] }))
    const list = lists[0]!
    const known = (await first(raven, list)).rows[0]!
    const after = async (now: object) => {
      entry = now
      governors[0]!.databaseChanged('a')
      await raven.clock.advance(3000)
      return (await list.request(null))?.rows[0]
    }
    const locked = (why: string) => ({ Name: 'a', LoadError: `The database 'a' has been unloaded and locked ${why}` })
    const { lastBackupTicks, lock, documents } = known
    expect(lastBackupTicks).toBeGreaterThan(0)
    for (const [why, state] of [
      ['by RestartDatabaseAsync', 'unloaded'],
      ['because it is being compacted', 'compacting'],
    ] as const)
      expect(await after(locked(why))).toMatchObject({ state, lastBackupTicks, lock, documents, upTimeMs: null })
    expect(await after({ Name: 'a', LoadError: 'no disk' })).toMatchObject({
      state: 'faulted',
      lastBackupTicks,
      lock,
      documents: null,
    })
    expect(await after({ ...whole, BackupInfo: null })).toMatchObject({ state: 'online', lastBackupTicks: null })
  })
})
