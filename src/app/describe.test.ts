import { describe, expect, it } from 'vitest'
import type { Bytes } from '../base/brand.ts'
import { emptyState, sourceState, unanswered } from '../testing/stub-capture.ts'
import { describeAge, describeClock, describeMeter, describeServer, describeSource, lastHeardMs } from './describe.ts'

const orders = { kind: 'database', name: 'Orders' } as const

describe('words of the shell', () => {
  it('ages', () => {
    expect(describeAge(20_000)).toBe('less than a minute')
    expect(describeAge(20_000, true)).toBe('20 seconds')
    expect(describeAge(-5, true)).toBe('0 seconds')
    expect(describeAge(255_000, true)).toBe('4 min')
    expect(describeAge(7_500_000)).toBe('2 h 5 min')
  })

  it('the meter', () => {
    const meter = {
      ...emptyState().meter,
      sinceMs: 0,
      requests: 38,
      sockets: 2,
      bytes: 1_258_291 as Bytes,
      requestsPerMinute: 1,
      bytesPerMinute: 310_000,
      cost: { ...emptyState().meter.cost, shareOfCore: 0.0012 },
    }
    expect(describeMeter(meter, 250_000)).toEqual({
      total: '38 requests, 1.20 MiB, 2 sockets in 4 min',
      now: 'Looking: 1 request and 303 KiB a minute',
      cost: '0.12 % of a core, 0 databases loaded by it',
    })
  })

  it('the server', () => {
    const state = emptyState()
    expect(describeServer(state).words).toBe('connected')
    expect(describeServer({ ...state, server: null }).words).toBe('connecting')
    expect(describeServer({ ...state, serverError: unanswered }).words).toBe('no answer')
    expect(describeServer({ ...state, serverError: { ...unanswered, status: 428 } }).words).toBe('wants a code')
    expect(describeServer({ ...state, serverError: { ...unanswered, status: 500 } }).words).toBe('HTTP 500')
    expect(describeServer({ ...state, sources: [sourceState(orders, { phase: 'waiting' })] }).words).toBe(
      'reconnecting',
    )
  })

  it('sources', () => {
    expect(describeSource(undefined).word).toBe('not here')
    expect(describeSource(sourceState(orders, { phase: 'broken' }))).toEqual({ tone: 'warn', word: 'cut short' })
  })

  it('when the server was last heard: files do not count', () => {
    const file = sourceState({ kind: 'file', name: 'a.json' }, { lastHeardMs: 900 })
    expect(lastHeardMs({ ...emptyState(), sources: [file] })).toBeNull()
    expect(lastHeardMs({ ...emptyState(), sources: [file, sourceState(orders, { lastHeardMs: 500 })] })).toBe(500)
  })
})

describe('the clock', () => {
  it('is said once, however it is called', () => {
    expect(describeClock('utc', 'Europe/Berlin')).toBe('Times in UTC')
    expect(describeClock('local', 'UTC')).toBe('Times in UTC')
    expect(describeClock('local', 'Europe/Berlin')).toBe('Local times, Europe/Berlin')
  })
})
