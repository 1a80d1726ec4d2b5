import { setTimeout as sleep } from 'node:timers/promises'
import { databasePath, put } from '../../tools/ravendb/client.mjs'
import { BY_N, LONG_MS } from './actions.ts'
import type { OfferWorld } from './every-offer.ts'
import { makeWaiting, type Call } from './long-query.ts'
import { expect } from './raven.ts'

/* Targets in each state, so that each action of the table is offered somewhere. */

/** A target that is still there after this time is not discarded any more, s. */
const STAYS_S = 8
const NAME = 'everywhere'
const OFF = 'everywhere-off'
const ASKED = 'everywhere-asked'
const PATH = databasePath(NAME)
const RUNNING = { Name: 'Things/Running', Maps: ['from t in docs.Things select new { R = t.N }'] }
const OTHER = { Name: 'Things/Other', Maps: ['from t in docs.Things select new { M = t.N }'] }
const BROKEN = { Name: 'Things/Broken', Maps: ['from t in docs.Things select new { N = 1 / (t.N - t.N) }'] }

export const OFFER_DATABASES = [NAME, OFF, ASKED]

interface MadeWorld {
  readonly world: Omit<OfferWorld, 'studio' | 'alert'>
  readonly remove: () => Promise<void>
}

export async function makeOfferWorld(call: Call): Promise<MadeWorld> {
  const post = (path: string, body?: object): Promise<unknown> => call('POST', path, body)
  for (const name of [NAME, OFF])
    await call('PUT', `/admin/databases?name=${name}&replicationFactor=1`, { DatabaseName: name, Settings: {} })
  await post('/admin/databases/set-lock', { DatabaseNames: [OFF], Mode: 'PreventDeletesIgnore' })
  await post('/admin/databases/disable', { DatabaseNames: [OFF] })
  await post(`${PATH}/bulk_docs`, {
    Commands: Array.from({ length: 3000 }, (_, i) => put(`things/${i}`, 'Things', { N: i })),
  })
  await call('PUT', `${PATH}/admin/indexes`, { Indexes: [BY_N, OTHER, BROKEN, RUNNING] })
  const statsOf = async (name: string): Promise<Record<string, unknown> | undefined> =>
    ((await call('GET', `${PATH}/indexes/stats`)) as { Results: Record<string, unknown>[] }).Results.find(
      ({ Name }) => Name === name,
    )
  await expect.poll(async () => (await statsOf(BROKEN.Name))?.['ErrorsCount'], { timeout: LONG_MS }).toBeGreaterThan(0)
  await post(`${PATH}/admin/indexes/stop?name=${BY_N.Name}`)
  await post(`${PATH}/indexes/set-priority`, { IndexNames: [OTHER.Name], Priority: 'Low' })
  await post(`${PATH}/indexes/set-lock`, { IndexNames: [OTHER.Name], Mode: 'LockedIgnore' })
  await post(`${PATH}/admin/indexes/disable?name=${OTHER.Name}&clusterWide=false`)
  // Its response is no JSON; it leaves a notification.
  await post(`${PATH}/smuggler/export`, {}).catch(() => undefined)
  const notificationsOf = async (): Promise<readonly string[]> =>
    ((await call('GET', `${PATH}/notifications`)) as { Results: { Id: string; Type: string }[] }).Results.filter(
      ({ Type }) => Type === 'OperationChanged',
    ).map(({ Id }) => Id)
  await expect.poll(notificationsOf, { timeout: LONG_MS }).toHaveLength(1)
  const [notification = ''] = await notificationsOf()

  const request = await makeWaiting(call, ASKED)
  const requested: Promise<unknown>[] = []
  // In a database of which the record stays as it is, since a change of it discards what a reset builds beside an index; its
  // indexes are stopped.
  await call('PUT', `${databasePath(ASKED)}/admin/indexes`, { Indexes: [BY_N] })
  const isBuilt = async (): Promise<boolean> => {
    const { Results: all } = (await call('GET', `${databasePath(ASKED)}/indexes/stats`)) as {
      Results: { Name: string }[]
    }
    return all.some(({ Name: name }) => name === `ReplacementOf/${BY_N.Name}`)
  }
  // The server follows that change some seconds after it answers, and discards what was built until then: it must stay.
  await expect(async () => {
    await call('RESET', `${databasePath(ASKED)}/indexes?name=${BY_N.Name}&mode=SideBySide`)
    for (let second = 0; second < STAYS_S; second++) {
      await sleep(1000)
      expect(await isBuilt()).toBe(true)
    }
  }).toPass({ timeout: LONG_MS })
  return {
    world: {
      database: NAME,
      indexes: [BY_N, OTHER, BROKEN, RUNNING].map(({ Name: name }) => name),
      replaced: { database: ASKED, index: BY_N.Name },
      others: [OFF],
      notification,
      run: async () => {
        requested.push(request())
        const patch = 'from Things update { for (var i = 0, s = 0; i < 9000; i++) s += i % 7; this.s = s }'
        const { OperationId: id } = (await call('PATCH', `${PATH}/queries`, { Query: { Query: patch } })) as {
          OperationId: number
        }
        return async () => {
          await post(`${PATH}/operations/kill?id=${id}`).catch(() => undefined)
        }
      },
    },
    remove: async () => {
      // The queries wait for this index.
      await post(`${databasePath(ASKED)}/admin/indexes/start`)
      await Promise.all(requested)
      await post('/admin/databases/set-lock', { DatabaseNames: [OFF], Mode: 'Unlock' })
      await call('DELETE', '/admin/databases', {
        DatabaseNames: OFFER_DATABASES,
        HardDelete: true,
        TimeToWaitForConfirmation: '00:00:30',
      })
    },
  }
}
