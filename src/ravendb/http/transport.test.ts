import { describe, expect, it } from 'vitest'
import { FakeRaven, json, never, settle } from '../../testing/fake-raven.ts'
import { Governor } from '../governor/governor.ts'
import { retryAfter } from './transport.ts'

function setup(): { raven: FakeRaven; governor: Governor } {
  const raven = new FakeRaven()
  raven.databases.set('db', 'loaded')
  return { raven, governor: new Governor(raven.env) }
}

/** Listens at once: the failure comes while the clock is turned. */
const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

const pieces = (count: number, size: number, seen: { pulled: number; cancelled: boolean }): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => {
        if (seen.pulled++ < count) controller.enqueue(new Uint8Array(size).fill(0x20))
        else controller.close()
      },
      cancel: () => void (seen.cancelled = true),
    }),
  )

describe('a call', () => {
  it('ends after its time, and is aborted then', async () => {
    const { raven, governor } = setup()
    raven.on(/server-id/, never)
    const call = governor.json('serverId')
    const failed = caught(call)
    const expected = {
      kind: 'timeout',
      status: null,
      endpoint: '/debug/server-id',
      message: 'The server did not answer within 15 s.',
    }
    await raven.clock.advance(14_999)
    expect(raven.calls[0]!.signal.aborted).toBe(false)
    await raven.clock.advance(1)
    expect(await failed).toMatchObject(expected)
    expect(raven.calls[0]!.signal.aborted).toBe(true)
  })

  it('ends after its time also when the body stops in the middle', async () => {
    const { raven, governor } = setup()
    raven.on(
      /server-id/,
      () => new Response(new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode('{"Ser')) })),
    )
    const failed = caught(governor.json('serverId'))
    await raven.clock.advance(15_000)
    expect(await failed).toMatchObject({ kind: 'timeout' })
  })

  it('says that there was no answer', async () => {
    const { raven, governor } = setup()
    raven.up = false
    await expect(governor.json('serverId')).rejects.toMatchObject({
      kind: 'network',
      status: null,
      message: 'The server did not answer.',
    })
  })

  it('stops reading at the limit of its size', async () => {
    const { raven, governor } = setup()
    const seen = { pulled: 0, cancelled: false }
    raven.on(/is-loaded/, () => pieces(1000, 16_384, seen))
    await expect(governor.json('isLoaded', { name: 'x' })).rejects.toMatchObject({ kind: 'too-large', status: 200 })
    expect(seen.pulled).toBeLessThan(10)
    expect(seen.cancelled).toBe(true)
  })

  it.each<[string, Response, string]>([
    [
      'a login page',
      new Response('<html><title>Log in</title></html>', { headers: { 'content-type': 'text/html' } }),
      'an HTML page titled “Log in”',
    ],
    ['nothing', new Response('', { headers: { 'content-type': 'application/json' } }), 'an empty response'],
    [
      'cut JSON',
      new Response('{"ServerId":"b9', { headers: { 'content-type': 'application/json' } }),
      'JSON that is cut off or broken',
    ],
  ])('distinguishes %s from JSON', async (_, response, came) => {
    const { raven, governor } = setup()
    raven.on(/server-id/, () => response)
    await expect(governor.json('serverId')).rejects.toMatchObject({
      kind: 'not-json',
      message: `Expected JSON, came ${came} (status 200).`,
    })
    expect(governor.meter().endpoints).toMatchObject([{ endpoint: '/debug/server-id', requests: 1, failures: 1 }])
  })

  it('takes an empty 204 where it is an answer', async () => {
    const { raven, governor } = setup()
    raven.on(/whoami/, () => new Response(null, { status: 204 }))
    expect(await governor.json('whoami')).toBeNull()
  })

  it('classifies what the server refuses', async () => {
    const { raven, governor } = setup()
    raven.on(/admin\/stats/, () => json({ Type: 'InvalidAuth', Message: 'no' }, 403))
    const error = await governor.json('adminStats').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'refused', status: 403, serverMessage: 'no' })
    expect((error as { hint: string }).hint).toContain('Operator')
  })

  it('hands out bytes that may be given away, to each caller its own', async () => {
    const { raven, governor } = setup()
    raven.on(/server-id/, () => ({ ServerId: 'x' }))
    const [one, two] = await Promise.all([governor.bytes('serverId'), governor.bytes('serverId')])
    structuredClone(one.buffer, { transfer: [one.buffer] })
    expect(new TextDecoder().decode(two)).toBe('{"ServerId":"x"}')
    expect(raven.calls).toHaveLength(1)
  })

  it('asks for JSON, uncached, with the cookie of the second factor', async () => {
    const { raven, governor } = setup()
    let seen: RequestInit = {}
    const { fetch } = raven.env
    const spying = new Governor({ ...raven.env, fetch: (url, init) => ((seen = init), fetch(url, init)) })
    await spying.json('serverId')
    expect(seen).toMatchObject({
      headers: { Accept: 'application/json' },
      cache: 'no-store',
      credentials: 'same-origin',
    })
    governor.close()
    await settle()
  })
})

describe('retryAfter', () => {
  const nowMs = Date.parse('2026-11-20T04:00:00Z')
  it.each<[string | null, number | null]>([
    ['3', 3000],
    ['Fri, 20 Nov 2026 04:00:20 GMT', 20_000],
    ['Fri, 20 Nov 2026 03:00:00 GMT', 0],
    ['86400', 600_000],
    ['later', null],
    ['', null],
    [null, null],
  ])('%j is %s ms', (header, ms) => expect(retryAfter(header, nowMs)).toBe(ms))
})
