import { expect, it } from 'vitest'
import type { GovernorEnv } from '../env.ts'
import { toArriveOnce } from './once.ts'

interface Started {
  readonly url: string
  readonly signal: AbortSignal
}

function setup(protocol?: string) {
  const started: Started[] = []
  const env = {
    baseUrl: 'http://raven',
    ...(protocol === undefined ? {} : { protocol: () => protocol }),
    setTimeout: (run: () => void) => setTimeout(run, 0),
    fetch: (url: string, { signal }: { signal: AbortSignal }) => {
      started.push({ url, signal })
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('It was aborted.', 'AbortError'))),
      )
    },
  } as unknown as GovernorEnv
  return { env, started }
}

const POST: RequestInit = { method: 'POST', body: '{"a":1}' }

it.each(['http/1.1', ''])(
  'closes as many connections as a browser keeps before what must arrive once: %s',
  async (protocol) => {
    const { env, started } = setup(protocol)
    expect(await toArriveOnce(env, POST)).toBe(POST)
    expect(started).toHaveLength(6)
    expect(started.every(({ url, signal }) => url.startsWith('http://raven/rachis/waitfor') && signal.aborted)).toBe(
      true,
    )
  },
)

it('sends a stream over HTTP/2, of which a browser keeps nothing to repeat', async () => {
  const { env, started } = setup('h2')
  const init = await toArriveOnce(env, POST)
  expect(init.body).toBeInstanceOf(ReadableStream)
  expect(await new Response(init.body).text()).toBe('{"a":1}')
  expect(await new Response((await toArriveOnce(env, { method: 'RESET' })).body).text()).toBe('')
  expect(await toArriveOnce(env, { method: 'GET' })).toEqual({ method: 'GET' })
  expect(started).toEqual([])
})

it('does nothing where no browser sends it', async () => {
  const { env, started } = setup()
  expect(await toArriveOnce(env, POST)).toBe(POST)
  expect(started).toEqual([])
})
