import { expect, it } from 'vitest'
import { FakeRaven } from '../../testing/fake-raven.ts'
import { attentiveEnv } from './attentive-env.ts'
import { ServerClock } from './server-clock.ts'

it('sends a method that the stand-alone server cannot receive as a POST that names it, once it knows of that server', async () => {
  const sent: (string | undefined)[][] = []
  const { env } = new FakeRaven()
  let response: Record<string, string> = {}
  const fetch: typeof env.fetch = (_url, init) => {
    sent.push([init.method, new Headers(init.headers).get('rookery-method') ?? undefined])
    return Promise.resolve(new Response('', { headers: response }))
  }
  const own = attentiveEnv({ ...env, fetch }, new ServerClock(), () => undefined)
  await own.fetch('/databases/shop/indexes', { method: 'RESET' })
  response = { 'rookery-stand-alone': 'on' }
  await own.fetch('/build/version', { method: 'GET' })
  await own.fetch('/databases/shop/indexes', { method: 'RESET' })
  await own.fetch('/databases/shop/indexes', { method: 'DELETE' })
  expect(sent).toEqual([
    ['RESET', undefined],
    ['GET', undefined],
    ['POST', 'RESET'],
    ['DELETE', undefined],
  ])
})
