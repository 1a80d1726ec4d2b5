import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TickSpan } from '../../base/ticks.ts'
import { createAddressStore } from './view-store.ts'
import type { AddressStore } from './view-store.ts'

let store: AddressStore

const start = (hash = ''): AddressStore => {
  window.history.replaceState(null, '', `/studio/index.html${hash}`)
  store = createAddressStore(['databases', 'io', 'documents'], ['documents.id', 'query.text'])
  return store
}

const span = (liveSpan: number) => ({ liveSpan: liveSpan as TickSpan })

beforeEach(() => vi.useFakeTimers())

afterEach(() => {
  store.dispose()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the view in the address', () => {
  it('gives a landing without a hash its address', () => {
    start()
    expect(location.hash).toBe('#/databases?v=2')
  })

  it('opens a copied link', () => {
    const { panel, view } = start('#/io?v=2&s=db:__proto__&io.fold=0').getSnapshot()
    expect(panel).toBe('io')
    expect(view.sources).toEqual(['db:__proto__'])
    expect(view.params).toEqual({ 'io.fold': '0' })
  })

  it('is seen at once, and written to the address a few times a second at most', () => {
    start('#/io?v=2')
    const replace = vi.spyOn(window.history, 'replaceState')
    for (let step = 1; step <= 300; step++) {
      store.change(span(step))
      expect(store.getSnapshot().view.liveSpan).toBe(step)
      vi.advanceTimersByTime(10)
    }
    store.flush()
    expect(replace.mock.calls.length).toBeLessThanOrEqual(11)
    expect(replace.mock.calls.length).toBeGreaterThan(5)
    expect(location.hash).toBe('#/io?v=2&live=300')
  })

  it('makes a step of the history for `push`, after what waited was written', () => {
    start('#/io?v=2')
    store.change(span(1))
    store.change(span(2))
    const written: string[] = []
    vi.spyOn(window.history, 'replaceState').mockImplementation(
      (_data, _unused, url) => void written.push(`replace ${String(url)}`),
    )
    vi.spyOn(window.history, 'pushState').mockImplementation(
      (_data, _unused, url) => void written.push(`push ${String(url)}`),
    )
    store.change({ selection: 'x' }, { push: true })
    expect(written).toEqual(['replace #/io?v=2&live=2', 'push #/io?v=2&live=2&sel=x'])
  })

  it('merges the settings of panels key by key; an empty text removes one', () => {
    start('#/io?v=2&io.fold=0&io.find=a')
    store.change({ params: { 'io.find': '', 'io.sort': 'size-up' } })
    expect(store.getSnapshot().view.params).toEqual({ 'io.fold': '0', 'io.sort': 'size-up' })
  })

  it.each([
    ['another one', { database: 'B' }],
    ['another source', { sources: ['db:B'] }],
    ['none', { sources: [] }],
  ] as const)('drops what belongs to a database for %s', (_, parts) => {
    start('#/documents?v=2&s=db:A&documents.id=a%2F1&documents.part=tree&query.text=from%20X')
    expect(store.href('documents', parts)).not.toMatch(/documents.id|query.text/)
    store.change(parts)
    expect(store.getSnapshot().view.params).toEqual({ 'documents.part': 'tree' })
  })

  it('keeps it for the same database, for a first one, and what the link of another one sets', () => {
    start('#/documents?v=2&documents.id=x')
    store.change({ database: 'A' })
    store.change({ database: 'a' })
    expect(store.getSnapshot().view.params).toEqual({ 'documents.id': 'x' })
    store.open('documents', { database: 'B', params: { 'documents.id': 'y' } })
    expect(store.getSnapshot().view.params).toEqual({ 'documents.id': 'y' })
  })

  it('opens a panel with the shared view, and names its address', () => {
    start('#/databases?v=2&clock=utc')
    expect(store.href('io', { sources: ['db:a&b=c#d'] })).toBe('#/io?v=2&s=db:a%26b%3Dc%23d&clock=utc')
    expect(store.getSnapshot().panel).toBe('databases')
    store.open('io', { sources: ['db:a&b=c#d'] })
    expect(store.getSnapshot().panel).toBe('io')
    expect(location.hash).toBe('#/io?v=2&s=db:a%26b%3Dc%23d&clock=utc')
  })

  it('reads what the user types or goes back to, and drops what waited', () => {
    start('#/io?v=2')
    const received = vi.fn<() => void>()
    store.subscribe(received)
    store.change(span(1))
    vi.advanceTimersByTime(1000)
    store.change(span(2))
    window.history.replaceState(null, '', '#/databases?v=2&clock=utc')
    window.dispatchEvent(new Event('hashchange'))
    expect(store.getSnapshot().view.clock).toBe('utc')
    expect(received).toHaveBeenCalledTimes(3)
    vi.advanceTimersByTime(1000)
    expect(location.hash).toBe('#/databases?v=2&clock=utc')
  })

  it('does not write what waited over an address that the user went to just now', () => {
    start('#/io?v=2')
    store.change(span(1))
    vi.advanceTimersByTime(1000)
    store.change(span(2))
    // The browser reports it after the timer of the pending change.
    window.history.replaceState(null, '', '#/databases?v=2&clock=utc')
    vi.advanceTimersByTime(1000)
    expect(location.hash).toBe('#/databases?v=2&clock=utc')
    expect(store.getSnapshot().view.clock).toBe('utc')
    window.dispatchEvent(new Event('hashchange'))
    expect(store.getSnapshot().panel).toBe('databases')
  })

  it('keeps the same object while nothing changes', () => {
    start('#/io?v=2')
    expect(store.getSnapshot()).toBe(store.getSnapshot())
    const before = store.getSnapshot()
    window.dispatchEvent(new Event('hashchange'))
    expect(store.getSnapshot()).toBe(before)
  })

  it('tries again when the browser refuses to write', () => {
    start('#/io?v=2')
    const replace = vi.spyOn(window.history, 'replaceState').mockImplementationOnce(() => {
      throw new DOMException('too many', 'SecurityError')
    })
    store.change(span(7))
    vi.advanceTimersByTime(1000)
    expect(location.hash).toBe('#/io?v=2')
    vi.advanceTimersByTime(6000)
    expect(replace).toHaveBeenCalledTimes(2)
    expect(location.hash).toBe('#/io?v=2&live=7')
  })

  it('writes what waits when the page is left', () => {
    start('#/io?v=2')
    store.change(span(1))
    vi.advanceTimersByTime(1000)
    store.change(span(2))
    window.dispatchEvent(new Event('pagehide'))
    expect(location.hash).toBe('#/io?v=2&live=2')
  })

  it('keeps the notes of a link through changes, until a panel is opened', () => {
    start('#/io?v=2&range=x')
    store.change(span(1))
    expect(store.getSnapshot().notes).toHaveLength(1)
    store.open('databases')
    expect(store.getSnapshot().notes).toEqual([])
  })
})
