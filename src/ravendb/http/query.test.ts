import { expect, it } from 'vitest'
import { exactText } from '../../base/text/exact-text.ts'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'

it('the time of a query does not include the request whether its database is loaded', async () => {
  const raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  const after = (ms: number, body: unknown) => (): unknown => {
    raven.clock.nowMs += ms
    return body
  }
  raven.on(/is-loaded/, after(700, { DatabaseName: 'shop', IsLoaded: true }))
  raven.on(/queries/, after(30, { Results: [] }))
  const { tookMs } = await new Governor(raven.env).query(
    {
      database: 'shop',
      path: '/databases/shop/queries?disableAutoIndexCreation=true',
      route: '/databases/{database}/queries?disableAutoIndexCreation=true',
      body: '{"Query":"from Orders"}',
      mayLoad: false,
      timeoutMs: 60_000,
      maxBytes: 1000,
    },
    new AbortController().signal,
  )
  expect(raven.paths(/is-loaded/)).toHaveLength(1)
  expect(tookMs).toBe(30)
})

it('sends a byte that is no UTF-8 as the server sent it', async () => {
  const raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  raven.on(/queries/, () => ({ Results: [] }))
  const sent: unknown[] = []
  const fetch: typeof raven.env.fetch = (to, init) => {
    sent.push(init.body)
    return raven.env.fetch(to, init)
  }
  await new Governor({ ...raven.env, fetch }).query(
    {
      database: 'shop',
      path: '/databases/shop/queries?disableAutoIndexCreation=true',
      route: '/databases/{database}/queries?disableAutoIndexCreation=true',
      body: `{"Query":"from Orders","QueryParameters":{"a":"${exactText(Uint8Array.of(0xff))}"}}`,
      mayLoad: false,
      timeoutMs: 60_000,
      maxBytes: 1000,
    },
    new AbortController().signal,
  )
  expect(Buffer.from(sent.at(-1) as Uint8Array).toString('latin1')).toContain('"a":"\u00ff"')
})
