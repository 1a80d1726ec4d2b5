import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle } from '../../testing/fake-raven.ts'
import { RavenError } from '../errors/errors.ts'
import { Flights, MAX_AT_ONCE, type FlightRequest, type Priority } from './flights.ts'

/** Work that ends on request, and what is under way now. */
class Field {
  readonly flights = new Flights()
  readonly started: string[] = []
  readonly underWay = new Map<
    string,
    { group: string; express: boolean; end: () => void; fail: () => void; signal: AbortSignal }
  >()
  readonly joined: Promise<unknown>[] = []

  join(
    id: string,
    options: { group?: string; express?: boolean; priority?: Priority; signal?: AbortSignal } = {},
  ): Promise<string> {
    const { group = id, express = false, priority = 'user', signal = null } = options
    const request: FlightRequest<string> = {
      id,
      group,
      express,
      priority,
      path: `/${id}`,
      signal,
      run: (inner) =>
        new Promise((done, failed) => {
          expect(this.underWay.has(id)).toBe(false)
          expect([...this.underWay.values()].some((other) => other.group === group)).toBe(false)
          this.started.push(id)
          const gone = (act: () => void) => () => {
            this.underWay.delete(id)
            act()
          }
          const fail = gone(() => failed(new Error(`${id} failed`)))
          this.underWay.set(id, { group, express, end: gone(() => done(`${id} done`)), fail, signal: inner })
          inner.addEventListener('abort', fail)
        }),
    }
    const promise = this.flights.join(request)
    promise.catch(() => {})
    this.joined.push(promise)
    return promise
  }
}

describe('Flights', () => {
  it('shares a flight between equal callers', async () => {
    const field = new Field()
    const both = Promise.all([field.join('a'), field.join('a')])
    await settle()
    field.underWay.get('a')!.end()
    expect(await both).toEqual(['a done', 'a done'])
    expect(field.started).toEqual(['a'])
  })

  it('sends flights of one endpoint one after another, also after a failure', async () => {
    const field = new Field()
    const first = field.join('a1', { group: 'a' })
    const second = field.join('a2', { group: 'a' })
    await settle()
    expect(field.started).toEqual(['a1'])
    field.underWay.get('a1')!.fail()
    await expect(first).rejects.toThrow('a1 failed')
    await settle()
    field.underWay.get('a2')!.end()
    expect(await second).toBe('a2 done')
  })

  it('keeps one place for short requests, so that slow ones do not hold them up', async () => {
    const field = new Field()
    for (const id of ['a', 'b', 'c', 'd']) void field.join(id)
    void field.join('short', { express: true })
    await settle()
    expect(field.started).toEqual(['a', 'b', 'c', 'short'])
  })

  it('lets what a user waits for go before polls, and lifts a poll that a user joins', async () => {
    const field = new Field()
    for (const id of ['a', 'b', 'c']) void field.join(id)
    for (const id of ['poll1', 'poll2']) void field.join(id, { priority: 'poll' })
    void field.join('user')
    void field.join('poll2')
    for (const id of ['a', 'b', 'c']) {
      await settle()
      field.underWay.get(id)!.end()
    }
    await settle()
    expect(field.started.slice(3)).toEqual(['poll2', 'user', 'poll1'])
  })

  it('ends a flight only when the last caller has left', async () => {
    const field = new Field()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = field.join('a', { signal: one.signal })
    const second = field.join('a', { signal: two.signal })
    await settle()
    const { signal } = field.underWay.get('a')!
    one.abort()
    await expect(first).rejects.toMatchObject({ kind: 'aborted' })
    expect(signal.aborted).toBe(false)
    two.abort()
    await expect(second).rejects.toBeInstanceOf(RavenError)
    expect(signal.aborted).toBe(true)
  })

  it('never begins what was given up while it waited', async () => {
    const field = new Field()
    const controller = new AbortController()
    for (const id of ['a', 'b', 'c']) void field.join(id)
    void field.join('late', { signal: controller.signal })
    controller.abort()
    for (const id of ['a', 'b', 'c']) {
      await settle()
      field.underWay.get(id)!.end()
    }
    await settle()
    expect(field.started).toEqual(['a', 'b', 'c'])
    await expect(field.join('x', { signal: controller.signal })).rejects.toMatchObject({ kind: 'aborted' })
  })

  it('gives a caller who comes after an abort a flight of its own', async () => {
    const field = new Field()
    const controller = new AbortController()
    const first = field.join('a', { signal: controller.signal })
    await settle()
    controller.abort()
    const second = field.join('a')
    await expect(first).rejects.toMatchObject({ kind: 'aborted' })
    await settle()
    field.underWay.get('a')!.end()
    expect(await second).toBe('a done')
    expect(field.started).toEqual(['a', 'a'])
  })

  it('law: never two of one id or endpoint, never more than four, and everyone gets an end', async () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('join' as const),
          n: fc.nat(7),
          poll: fc.boolean(),
          abortable: fc.boolean(),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), n: fc.nat(9), fail: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), n: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const field = new Field()
        const aborts: AbortController[] = []
        const check = (): void => {
          const all = [...field.underWay.values()]
          expect(all.length).toBeLessThanOrEqual(MAX_AT_ONCE)
          expect(new Set(all.map((flight) => flight.group)).size).toBe(all.length)
        }
        for (const it of steps) {
          if (it.do === 'join') {
            const controller = new AbortController()
            if (it.abortable) aborts.push(controller)
            const group = `g${it.n % 5}`
            void field.join(`i${it.n}`, {
              group,
              express: it.n % 5 === 0,
              priority: it.poll ? 'poll' : 'user',
              signal: controller.signal,
            })
          } else if (it.do === 'end') {
            const flight = [...field.underWay.values()][it.n]
            if (it.fail) flight?.fail()
            else flight?.end()
          } else if (it.do === 'abort') aborts[it.n]?.abort()
          else await settle()
          check()
        }
        for (let turn = 0; turn < 50 && (turn === 0 || field.underWay.size > 0); turn++) {
          for (const flight of field.underWay.values()) flight.end()
          await settle()
          check()
        }
        expect(field.underWay.size).toBe(0)
        const ends = await Promise.race([Promise.allSettled(field.joined), settle().then(() => null)])
        expect(ends).not.toBeNull()
      }),
      { numRuns: 200 },
    )
  })
})
