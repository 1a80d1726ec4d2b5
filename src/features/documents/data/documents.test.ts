import { expect, it } from 'vitest'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven } from '../../../testing/fake-raven.ts'
import { documentResponses } from './documents.ts'

it('says of a document whose database was deleted that there is none, and does not offer to load it', async () => {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  const { signal } = new AbortController()
  const open = async (): Promise<unknown> =>
    documentResponses(() => governor).responses['documents.open']?.({ database: 'Shop', id: 'a/1' }, governor, signal)
  await expect(open()).rejects.toMatchObject({
    kind: 'database-missing',
    message: 'There is no database “Shop” on this server.',
  })
  raven.databases.set('Shop', 'unloaded')
  await expect(open()).rejects.toMatchObject({ kind: 'database-unloaded' })
  expect(raven.loads).toEqual([])
})
