import { describe, expect, it } from 'vitest'
import { FakeRaven, json, never, settle } from '../../testing/fake-raven.ts'
import { recordedJson } from '../../testing/recorded.ts'
import { Governor } from '../governor/governor.ts'
import type { RavenError } from '../errors/errors.ts'

function setup(): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  return { raven, governor: new Governor(raven.env) }
}

describe('the gate', () => {
  it('asks nothing of an unloaded database', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'unloaded')
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({
      kind: 'database-unloaded',
      status: null,
      endpoint: '/databases/db/studio/footer/stats',
    })
    expect(raven.paths()).toEqual(['/debug/is-loaded?name=db'])
  })

  it('lets a loaded one through, and believes the response for two seconds', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'loaded')
    await governor.json('footerStats', { database: 'db' })
    await raven.clock.advance(1900)
    await governor.json('perfMetrics', { database: 'db' })
    expect(raven.paths(/is-loaded/)).toHaveLength(1)
    await raven.clock.advance(200)
    raven.databases.set('db', 'unloaded')
    await expect(governor.json('perfMetrics', { database: 'db' })).rejects.toMatchObject({ kind: 'database-unloaded' })
    expect(raven.loads).toEqual([])
  })

  it('is opened for one call by a deliberate click', async () => {
    const { raven, governor } = setup()
    raven.databases.set('db', 'unloaded')
    await governor.json('footerStats', { database: 'db' }, { allowLoad: true })
    expect(raven.paths()).toEqual(['/databases/db/studio/footer/stats'])
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({ kind: 'database-unloaded' })
  })

  it('is not asked for what loads nothing', async () => {
    const { raven, governor } = setup()
    await governor.json('databases')
    expect(raven.paths()).toEqual(['/databases?start=0&pageSize=256'])
  })

  it('reads the answer as it was recorded', async () => {
    const { raven, governor } = setup()
    raven.on(/is-loaded/, () => recordedJson('7.1', 'is-loaded.json'))
    expect(await governor.json('footerStats', { database: 'bench' })).toEqual({})
  })

  it('passes its own refusal on', async () => {
    const { raven, governor } = setup()
    raven.on(/is-loaded/, () => json({ Type: 'InvalidAuth', Message: 'not yours' }, 403))
    await expect(governor.json('footerStats', { database: 'db' })).rejects.toMatchObject({
      kind: 'refused',
      serverMessage: 'not yours',
    })
    expect(raven.paths(/footer/)).toEqual([])
  })

  it('says when its answer is not understood', async () => {
    const { raven, governor } = setup()
    raven.on(/is-loaded/, () => ({ IsLoaded: 'yes' }))
    const error = await governor
      .json('footerStats', { database: 'db' })
      .catch((thrown: unknown) => thrown as RavenError)
    expect(error).toMatchObject({ kind: 'unexpected' })
    expect((error as RavenError).message).toContain('At $.IsLoaded: expected true or false, got "yes"')
  })

  it('does not hang when every slot waits for it', async () => {
    const { raven, governor } = setup()
    for (const name of ['a', 'b', 'c', 'd', 'e']) raven.databases.set(name, 'loaded')
    const keys = ['footerStats', 'perfMetrics', 'storageReport', 'indexesNames', 'ioMetrics'] as const
    const responses = await Promise.all(keys.map((key, n) => governor.json(key, { database: 'abcde'[n]! })))
    expect(responses).toHaveLength(5)
  })
})

describe('versions', () => {
  it('are asked once, and an endpoint that is not offered is not called', async () => {
    const { raven, governor } = setup()
    raven.version = '5.4.207'
    await expect(governor.json('databasesState')).rejects.toMatchObject({
      kind: 'route-missing',
      message: 'This server is older than 6.2, which is the first version that offers it.',
    })
    await expect(governor.json('databasesState')).rejects.toMatchObject({ kind: 'route-missing' })
    expect(raven.paths()).toEqual(['/build/version'])
  })

  it('are asked again after the server was away', async () => {
    const { raven, governor } = setup()
    raven.version = '6.2.4'
    expect(await governor.version()).toMatchObject({ fullVersion: '6.2.4' })
    raven.up = false
    await governor.json('serverId').catch(() => {})
    raven.up = true
    raven.version = '7.1.5'
    expect(await governor.version()).toMatchObject({ fullVersion: '7.1.5' })
  })
})

describe('a call that pends for ever', () => {
  it('does not stop the others, nor short requests', async () => {
    const { raven, governor } = setup()
    raven.on(/server-id/, never)
    const stuck = governor.json('serverId').catch((error: unknown) => error)
    await settle()
    expect(await governor.json('cpuCredits')).toEqual({})
    expect(await governor.version()).toMatchObject({ major: 7 })
    await raven.clock.advance(15_000)
    expect(await stuck).toMatchObject({ kind: 'timeout' })
  })
})
