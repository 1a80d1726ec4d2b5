import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Ticks } from '../../base/ticks.ts'
import { FakeStorage } from '../../testing/fake-storage.ts'
import { type ActivityEntry } from './activity-entry.ts'
import { ActivityLog } from './activity-log.ts'

type Changed = (event: Pick<StorageEvent, 'key'>) => void
let storage = new FakeStorage()
let pages: Changed[] = []

beforeEach(() => {
  storage = new FakeStorage()
  pages = []
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('addEventListener', (_type: string, listener: Changed) => void pages.push(listener))
})
afterEach(() => void vi.unstubAllGlobals())

const AT_MS = 1_800_000_000_000
const entry = (id: string, parts: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id,
  server: 's',
  call: { action: 'index.pause', target: { kind: 'index', database: 'shop', name: 'x' }, inputs: {}, facts: {} },
  title: 'Pause indexing',
  startedTicks: 5 as Ticks,
  endedTicks: 6 as Ticks,
  startedMs: AT_MS,
  endedMs: AT_MS + 1,
  state: 'done',
  text: 'It is paused.',
  progress: null,
  error: null,
  accepted: true,
  attempts: 1,
  undoneBy: null,
  ...parts,
})
const idsOf = (log: ActivityLog): string[] => log.getSnapshot().map(({ id }) => id)
const keyOf = (id: string): string => `rookery.activity.${id}`

describe('what was done from this browser', () => {
  it('is kept, newest first, and known to a page that is opened later', () => {
    const log = new ActivityLog()
    log.put(entry('a'))
    log.put(entry('b', { startedMs: AT_MS + 10 }))
    log.patch('a', { undoneBy: 'b' })
    expect(new ActivityLog().getSnapshot()).toEqual([
      entry('b', { startedMs: AT_MS + 10 }),
      entry('a', { undoneBy: 'b' }),
    ])
    expect(log.getKeeping()).toEqual({ unstored: 0, dropped: 0 })
  })

  it('is bounded, and what goes on is dropped last', () => {
    const log = new ActivityLog()
    log.put(entry('open', { state: 'running' }))
    for (let i = 0; i < 250; i++) log.put(entry(String(i)))
    expect(idsOf(log)).toHaveLength(200)
    expect(idsOf(log)[0]).toBe('249')
    expect(idsOf(log)).toContain('open')
    expect(storage.items.size).toBe(200)
    const long = 'x'.repeat(30_000)
    for (let i = 0; i < 20; i++) log.put(entry(`long ${i}`, { text: long }))
    const characters = [...storage.items.values()].reduce((sum, text) => sum + text.length, 0)
    expect(characters).toBeLessThanOrEqual(400_000)
    expect(idsOf(log)).toEqual([...Array.from({ length: 13 }, (_, i) => `long ${19 - i}`), 'open'])
  })

  it('is bounded on reading, whatever is stored', () => {
    for (let i = 0; i < 5000; i++) storage.setItem(keyOf(`n${i}`), JSON.stringify(entry(`n${i}`, { startedMs: i })))
    const log = new ActivityLog()
    expect(idsOf(log)).toEqual(Array.from({ length: 200 }, (_, i) => `n${4999 - i}`))
    expect(storage.items.size).toBe(200)
  })

  it('is taken from the list of an older version', () => {
    const list = Array.from({ length: 5000 }, (_, i) => entry(`o${i}`, { startedMs: i }))
    storage.items.set('rookery.activity', JSON.stringify([...list, { id: 'bad' }]))
    const log = new ActivityLog()
    expect(idsOf(log)).toEqual(Array.from({ length: 200 }, (_, i) => `o${4999 - i}`))
    expect([log.getKeeping(), storage.items.size]).toEqual([{ unstored: 0, dropped: 1 }, 200])
    expect(new ActivityLog().getKeeping().dropped).toBe(0)
  })

  it('costs no more than the entry that changes', () => {
    const log = new ActivityLog()
    for (let i = 0; i < 200; i++) log.put(entry(`n${i}`, { text: 'x'.repeat(1000) }))
    const [written, read] = [storage.written, storage.readCharacters]
    log.patch('n100', { text: 'y' })
    expect(storage.written - written).toBeLessThan(1000)
    expect(storage.readCharacters - read).toBeLessThan(3000)
  })
})

describe('what the browser does not store', () => {
  it('is known to this page, which says so, and is stored when there is room', () => {
    const log = new ActivityLog()
    log.put(entry('old'))
    storage.room = 100
    log.put(entry('a', { state: 'sending' }))
    log.patch('a', { state: 'done', text: 'It is paused.' })
    log.put(entry('b'))
    expect(log.getSnapshot()).toEqual([entry('b'), entry('a'), entry('old')])
    expect(log.getKeeping()).toEqual({ unstored: 2, dropped: 0 })
    expect(idsOf(new ActivityLog())).toEqual(['old'])
    storage.room = Number.POSITIVE_INFINITY
    log.patch('old', { undoneBy: 'b' })
    expect(log.getKeeping().unstored).toBe(0)
    expect(idsOf(new ActivityLog()).toSorted()).toEqual(['a', 'b', 'old'])
  })

  it('is not forgotten where an older state of it is stored', () => {
    const log = new ActivityLog()
    log.put(entry('a', { state: 'sending', endedMs: null, text: '' }))
    storage.room = 10
    log.patch('a', { state: 'running', accepted: { OperationId: 4 } })
    log.patch('a', { text: 'Half.' })
    expect(log.get('a')).toMatchObject({ state: 'running', accepted: { OperationId: 4 }, text: 'Half.' })
  })

  it('is all of it where there is no storage', () => {
    vi.stubGlobal('localStorage', undefined)
    const log = new ActivityLog()
    log.put(entry('a'))
    log.put(entry('b'))
    log.clear('s')
    log.put(entry('c'))
    expect([idsOf(log), log.getKeeping().unstored]).toEqual([['c'], 1])
  })
})

describe('pages of one browser', () => {
  /** Tells one page what the other has stored, as the browser would a moment later. */
  const tell = (at: number, id: string | null): void => pages[at]?.({ key: id === null ? null : keyOf(id) })

  it('share what they do', () => {
    const [one, other] = [new ActivityLog(), new ActivityLog()]
    one.put(entry('a'))
    tell(1, 'a')
    other.put(entry('b', { startedMs: AT_MS + 1 }))
    tell(0, 'b')
    one.patch('b', { undoneBy: 'a' })
    tell(1, 'b')
    expect(other.getSnapshot()).toEqual(one.getSnapshot())
    other.clear('s')
    tell(0, 'a')
    tell(0, 'b')
    expect(idsOf(one)).toEqual([])
  })

  it('lose nothing where both change an entry before one has heard of the other', () => {
    const [one, other] = [new ActivityLog(), new ActivityLog()]
    one.put(entry('a', { state: 'running' }))
    tell(1, 'a')
    one.patch('a', { state: 'done' })
    other.patch('a', { undoneBy: 'b' })
    expect(other.get('a')).toMatchObject({ state: 'done', undoneBy: 'b' })
    expect(one.get('a')).toMatchObject({ state: 'done', undoneBy: 'b' })
  })

  it('keep what only they have when everything that is stored is removed', () => {
    const log = new ActivityLog()
    log.put(entry('stored'))
    storage.room = 10
    log.put(entry('own'))
    storage.items.clear()
    tell(0, null)
    expect(idsOf(log)).toEqual(['own'])
  })
})

describe('an entry that cannot be read', () => {
  const good = entry('good', {
    progress: 0.5,
    error: { endpoint: '/x', status: 500, message: 'm', serverMessage: null, hint: 'h' },
    mark: { newestTicks: 4 as Ticks, ofServer: { number: 1, startedAt: 'x' } },
    figures: { before: [{ label: 'l', unit: 'bytes', value: 1, range: [0, 2], aim: 'less' }], after: null },
    before: { startTicks: 0, endTicks: 1, batches: 1, documents: 1, medianTicks: 1, busyShare: 0, isPartial: false },
    after: null,
  })

  it.each([
    ['{', 'no JSON'],
    [JSON.stringify({ ...good, call: null }), 'no call'],
    [JSON.stringify({ ...good, call: {} }), 'an empty call'],
    [JSON.stringify({ ...good, state: 'waiting' }), 'a state that is not known'],
    [JSON.stringify({ ...good, error: undefined }), 'no error field'],
    [JSON.stringify({ ...good, id: 'other' }), 'another id'],
    [JSON.stringify({ ...good, call: { ...good.call, inputs: { a: 1 } } }), 'inputs that are no text'],
    [JSON.stringify({ ...good, call: { ...good.call, facts: { lock: 4 } } }), 'facts of another type'],
    [JSON.stringify({ ...good, startedTicks: 1e300 }), 'a time of which no date can be made'],
    [JSON.stringify({ ...good, figures: { before: [null], after: null } }), 'a figure that is none'],
    [JSON.stringify({ ...good, before: { batches: 1 } }), 'half a measurement'],
  ])('%s is dropped alone, and counted: %s', (text) => {
    storage.items.set(keyOf('good'), JSON.stringify(good))
    storage.items.set(keyOf('bad'), text.replace('"id":"good"', '"id":"bad"'))
    const log = new ActivityLog()
    expect(log.getSnapshot()).toEqual([good])
    expect(log.getKeeping()).toEqual({ unstored: 0, dropped: 1 })
    expect([...storage.items.keys()]).toEqual([keyOf('good')])
    log.forgetDropped()
    expect(log.getKeeping().dropped).toBe(0)
  })
})
