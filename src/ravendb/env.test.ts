import { afterEach, expect, it, vi } from 'vitest'
import { KEY_HEADER, KEY_PARAMETER } from '../base/http/stand-alone.mjs'
import { realEnv } from './env.ts'

afterEach(() => vi.unstubAllGlobals())

it('sends the key of the stand-alone server with requests and websockets, where there is one', async () => {
  class Opened {
    readonly url: string
    constructor(url: string) {
      this.url = url
    }
  }
  const opened: unknown[] = []
  const requested: (string | null)[] = []
  vi.stubGlobal('WebSocket', Opened)
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    requested.push(headers.get(KEY_HEADER), headers.get('accept'))
    return Promise.resolve(new Response())
  })
  for (const key of ['K', null]) {
    const env = realEnv('http://raven', key)
    await env.fetch('http://raven/x', { headers: { Accept: 'a' } })
    for (const path of ['/live', '/live?node=A']) opened.push(new env.WebSocket(`ws://raven${path}`))
  }
  expect(requested).toEqual(['K', 'a', null, 'a'])
  const live = 'ws://raven/live'
  const keyed = [`${live}?${KEY_PARAMETER}=K`, `${live}?node=A&${KEY_PARAMETER}=K`]
  expect(opened).toMatchObject([...keyed, live, `${live}?node=A`].map((url) => ({ url })))
})

it.each([2 ** 31, 1e12, Number.POSITIVE_INFINITY])('a timer of %s ms does not run at once', async (delayMs) => {
  const env = realEnv('http://raven')
  const run = vi.fn()
  const id = env.setTimeout(run, delayMs)
  await new Promise((done) => setTimeout(done, 20))
  env.clearTimeout(id)
  expect(run).not.toHaveBeenCalled()
})
