import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import { databaseRow } from '../../../testing/stub-capture.ts'
import { indexingRate, isSizeLeast, joinFacts, type DatabaseFacts } from './facts.ts'

const KNOWN: DatabaseFacts = {
  name: 'orders',
  online: true,
  disabled: false,
  irrelevant: false,
  erroredIndexes: null,
  requestsPerSecond: null,
  countedOverMs: null,
  averageMs: null,
  writesPerSecond: null,
  indexedPerSecond: null,
  mappedPerSecond: null,
  reducedPerSecond: null,
  idle: null,
  work: null,
  failure: null,
  volumeFreeBytes: null,
}

const stateOf = (
  listed: 'online' | 'unloaded' | 'disabled' | 'loading' | 'faulted',
  reported: Partial<DatabaseFacts>,
  newerMs = 5000,
): string | undefined =>
  joinFacts(
    [databaseRow('Orders', { state: listed })],
    new Map([['orders', { ...KNOWN, ...reported }]]),
    new Map(),
    newerMs,
  )[0]?.state

describe('the state of a database', () => {
  it('is what the dashboard reported where that is newer than the list', () => {
    expect(stateOf('online', { online: false })).toBe('unloaded')
    expect(stateOf('online', { online: false, disabled: true })).toBe('disabled')
    expect(stateOf('unloaded', { online: true })).toBe('online')
    expect(stateOf('disabled', { online: false })).toBe('unloaded')
    expect(stateOf('loading', { online: true })).toBe('online')
  })

  it('is that of the list where the list is newer, and where only the list can know', () => {
    expect(stateOf('online', { online: false }, -1000)).toBe('online')
    expect(stateOf('loading', { online: false })).toBe('loading')
    expect(stateOf('faulted', { online: false })).toBe('faulted')
    expect(stateOf('online', { online: false, irrelevant: true })).toBe('online')
  })
})

describe('for how long a database is loaded', () => {
  const upTimeOf = (newerMs: number | null, online = true): number | null | undefined =>
    joinFacts(
      [databaseRow('orders', { state: 'online', upTimeMs: 6000 })],
      new Map([['orders', { ...KNOWN, online }]]),
      new Map(),
      newerMs,
    )[0]?.upTimeMs

  it('continues while the list is not requested again, as long as it is reported to be loaded', () => {
    expect(upTimeOf(14_000)).toBe(20_000)
    expect(upTimeOf(-1000)).toBe(6000)
    expect(upTimeOf(null)).toBe(6000)
    expect(upTimeOf(14_000, false)).toBeNull()
  })
})

describe('the size of a database', () => {
  const IDLE = { isLoaded: true, unloadsAtNextSweep: false, loadedTicks: null, unloadsInMs: null, blockers: [] }
  const isLeast = (state: 'online' | 'unloaded', idleForMs: number | null): boolean =>
    isSizeLeast({
      ...databaseRow('orders', { state }),
      sizeBytes: 1 as Bytes,
      facts: { ...KNOWN, idle: { ...IDLE, idleForMs } },
    })

  it('may be more than the server’s sum while journals wait for a data sync', () => {
    expect(isLeast('online', 4000)).toBe(true)
    expect(isLeast('online', null)).toBe(true)
    expect(isLeast('online', 900_000)).toBe(false)
    expect(isLeast('unloaded', null)).toBe(false)
  })
})

describe('the rate of indexing', () => {
  const rate = (parts: Partial<DatabaseFacts>): number | null =>
    indexingRate({ ...databaseRow('orders', {}), facts: { ...KNOWN, ...parts } })

  it('is of maps, and does not add what is reduced', () => {
    expect(rate({})).toBeNull()
    expect(rate({ indexedPerSecond: 1042, mappedPerSecond: 500, reducedPerSecond: 24_571 })).toBe(1542)
  })
})
