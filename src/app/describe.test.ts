import { describe, expect, it } from 'vitest'
import type { Bytes } from '../base/brand.ts'
import type { RavenErrorKind } from '../ravendb/errors/errors.ts'
import { emptyState, sourceState, unanswered } from '../testing/stub-capture.ts'
import {
  describeAge,
  describeSilenceInShort,
  describeOverhead,
  describeServer,
  describeSource,
  formatLimit,
  lastReceivedMs,
} from './describe.ts'

const orders = { kind: 'database', name: 'Orders' } as const

describe('words of the shell', () => {
  it('ages', () => {
    expect(describeAge(20_000)).toBe('less than a minute')
    expect(describeAge(20_000, true)).toBe('20 seconds')
    expect(describeAge(-5, true)).toBe('0 seconds')
    expect(describeAge(255_000, true)).toBe('4 min')
    expect(describeAge(7_500_000)).toBe('2 h 5 min')
    expect([-1, 6_400, 255_000].map((ms) => describeSilenceInShort(0, ms))).toEqual(['0 s ago', '6 s ago', '4 min ago'])
  })

  it('the overhead, of all pages of the browser', () => {
    const { meter } = emptyState()
    const otherPages = { pages: 1, shareOfCore: 0.0004, requestsPerMinute: 4, bytesPerMinute: 0 as Bytes }
    const cost = { ...meter.cost, shareOfCore: 0.0022, otherPages }
    expect(describeOverhead({ ...meter, requestsPerMinute: 19, cost })).toBe('Overhead: 0.26 % of a core, 23 req/min')
    expect(formatLimit(cost)).toBe('limit 0.50 %')
    expect(formatLimit({ ...cost, isAttended: true })).toBe(
      'limit 2.00 % for this panel and 0.50 % for everything else',
    )
  })

  it('the server', () => {
    const state = emptyState()
    expect(describeServer(state).words).toBe('connected')
    expect(describeServer({ ...state, server: null }).words).toBe('connecting')
    expect(describeServer({ ...state, serverError: unanswered }).words).toBe('no answer')
    const failed = (kind: RavenErrorKind, status: number | null): string =>
      describeServer({ ...state, serverError: { ...unanswered, kind, status } }).words
    expect(failed('two-factor', 428)).toBe('two-factor code required')
    expect(failed('server', 500)).toBe('HTTP 500')
    expect(failed('unexpected', null)).toBe('unknown response')
    expect(failed('not-json', 200)).toBe('unknown response')
    expect(failed('no-server', 404)).toBe('HTTP 404')
    const noServer = { ...state, server: null, serverError: { ...unanswered, kind: 'no-server' as const, status: 404 } }
    expect(describeServer(noServer)).toEqual({ tone: 'idle', words: 'no server' })
    expect(describeServer({ ...state, sources: [sourceState(orders, { phase: 'waiting' })] }).words).toBe(
      'reconnecting',
    )
  })

  it('sources', () => {
    expect(describeSource(undefined).word).toBe('not here')
    expect(describeSource(sourceState(orders, { phase: 'broken' }))).toEqual({ tone: 'warn', word: 'truncated' })
  })

  it('when data was last received: files do not count', () => {
    const file = sourceState({ kind: 'file', name: 'a.json' }, { lastReceivedMs: 900 })
    expect(lastReceivedMs({ ...emptyState(), sources: [file] })).toBeNull()
    expect(lastReceivedMs({ ...emptyState(), sources: [file, sourceState(orders, { lastReceivedMs: 500 })] })).toBe(500)
  })
})
