import { expect, it } from 'vitest'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { RavenError } from '../errors/errors.ts'
import { Governor } from './governor.ts'
import { orMissing } from './or-missing.ts'

it('tells a database that was deleted from one that is not loaded', async () => {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  const { signal } = new AbortController()
  const unloaded = new RavenError({ kind: 'database-unloaded', endpoint: '/databases/Shop/queries' })
  const found = (error: unknown): Promise<unknown> => orMissing(governor, 'Shop', error, signal)
  expect(await found(unloaded)).toMatchObject({
    kind: 'database-missing',
    message: 'There is no database “Shop” on this server.',
  })
  raven.databases.set('Shop', 'unloaded')
  expect(await found(unloaded)).toBe(unloaded)
  const other = new RavenError({ kind: 'network', endpoint: '/' })
  expect(await found(other)).toBe(other)
  expect(raven.loads).toEqual([])
})
