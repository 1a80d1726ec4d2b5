import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, expect, it, vi } from 'vitest'
import { draftName, oldestTooMany, type Draft } from './draft.ts'
import { DraftStore } from './draft-store.ts'

afterEach(() => vi.restoreAllMocks())

const draft = (id: string, text: string, changedMs: number): Draft => ({
  kind: 'document',
  server: 's',
  database: 'Shop',
  id,
  base: 'A:1',
  baseText: '{}',
  text,
  changedMs,
})

/** A page that opens an editor of what the draft is of. */
async function opened(place: Draft): Promise<{ readonly page: DraftStore; readonly found: Draft | null }> {
  const page = new DraftStore()
  await page.read()
  const found = page.of(place)
  if (found !== null) page.hold(found)
  return { page, found }
}

const textsOf = async (id: string): Promise<readonly string[]> => {
  const page = new DraftStore()
  await page.read()
  return (page.getSnapshot().all ?? []).flatMap((each) => (each.id === id ? [each.text] : [])).toSorted()
}

/** Makes the storage too full for one text. */
function refuse(text: string): void {
  const { prototype } = IDBObjectStore
  const put = Reflect.get(prototype, 'put') as (this: IDBObjectStore, value: unknown, key?: IDBValidKey) => IDBRequest
  vi.spyOn(prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: unknown, key) {
    if (typeof value === 'object' && value !== null && 'text' in value && value.text === text)
      throw new DOMException('', 'QuotaExceededError')
    return put.call(this, value, key) as IDBRequest<IDBValidKey>
  })
}

it('drafts are there again in another page, newest first, without those that were removed', async () => {
  const store = new DraftStore()
  store.keep(draft('a/1', 'a', 1))
  store.keep(draft('a/1', 'ab', 2))
  store.keep(draft('a/2', 'c', 3))
  store.keep(draft('a/3', 'd', 4))
  store.remove({ ...draft('a/3', '', 0), database: 'SHOP' })
  expect(store.getSnapshot().all?.map(({ text }) => text)).toEqual(['c', 'ab'])
  await store.flush()
  const other = new DraftStore()
  await other.read()
  expect(other.getSnapshot()).toMatchObject({ all: [draft('a/2', 'c', 3), draft('a/1', 'ab', 2)], problem: null })
})

it('what is typed is stored by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const store = new DraftStore()
  store.keep(draft('typed', 'x', 5))
  vi.advanceTimersByTime(200)
  vi.useRealTimers()
  await store.flush()
  expect(await textsOf('typed')).toEqual(['x'])
})

it('two servers at one address have drafts of their own', async () => {
  const { page } = await opened(draft('server', '', 0))
  page.keep(draft('server', 'of s', 6))
  await page.flush()
  const { page: other, found } = await opened({ ...draft('server', '', 0), server: 't' })
  expect(found).toBeNull()
  other.keep({ ...draft('server', 'of t', 7), server: 't' })
  await other.flush()
  expect(await textsOf('server')).toEqual(['of s', 'of t'])
})

it('drafts from before the server said its id become its own, beside one that it has already', async () => {
  const address = 'http://here'
  const { page } = await opened({ ...draft('early', '', 0), server: address })
  page.keep({ ...draft('early', 'typed early', 1), server: address })
  page.keep({ ...draft('early/only', 'only', 2), server: address })
  page.keep(draft('early', 'of s', 3))
  await page.adopt(address, 's')
  await page.flush()
  expect(await textsOf('early')).toEqual(['of s', 'typed early'])
  expect(page.of(draft('early/only', '', 0))?.text).toBe('only')
  expect(page.of(draft('early', '', 0))?.text).toBe('typed early')
  expect(page.getSnapshot().all?.some(({ server }) => server === address)).toBe(false)
  expect(page.getSnapshot().chosen).toBe(1)
})

it('drafts of the first version of the storage are there, and are typed on', async () => {
  const database = 'rookery-drafts'
  await new Promise((done) => (indexedDB.deleteDatabase(database).onsuccess = done))
  const earlier = await openDB(database, 1, { upgrade: (store) => store.createObjectStore('drafts') })
  const place = draft('first', 'of the first version', 1)
  await earlier.put('drafts', place, JSON.stringify(['s', 'document', 'shop', 'first']))
  earlier.close()
  const { page, found } = await opened(place)
  expect(found?.text).toBe('of the first version')
  page.keep(draft('first', 'typed on', 2))
  await page.flush()
  expect(await textsOf('first')).toEqual(['typed on'])
})

it('two pages that type in the same document keep both texts, and each goes on with its own', async () => {
  const place = draft('both', '', 0)
  const [{ page: one }, { page: two }] = [await opened(place), await opened(place)]
  one.keep(draft('both', 'one', 1))
  await one.flush()
  two.keep(draft('both', 'two', 2))
  await two.flush()
  two.keep(draft('both', 'two, more', 3))
  await two.flush()
  one.keep(draft('both', 'one, more', 4))
  await one.flush()
  expect(await textsOf('both')).toEqual(['one, more', 'two, more'])
  await Promise.all([one.read(), two.read()])
  expect(one.of(place)?.text).toBe('one, more')
  expect(two.of(place)?.text).toBe('two, more')
  expect(one.others(place).map(({ text }) => text)).toEqual(['two, more'])

  // Saved in one of them: the text of the other stays.
  one.remove(place)
  await one.flush()
  expect(await textsOf('both')).toEqual(['two, more'])
})

it('an editor that began from a draft goes on with it, unless its page has typed since', async () => {
  const place = draft('again', '', 0)
  const { page: one } = await opened(place)
  one.keep(draft('again', 'a', 1))
  await one.flush()
  const { page: two, found } = await opened(place)
  expect(found?.text).toBe('a')
  two.keep(draft('again', 'ab', 2))
  await two.flush()
  expect(await textsOf('again')).toEqual(['ab'])
  one.keep(draft('again', 'ac', 3))
  await one.flush()
  await one.flush()
  expect(await textsOf('again')).toEqual(['ab', 'ac'])

  // The user goes on with the other one.
  await two.read()
  const [other] = two.others(place)
  two.choose(other ?? place)
  expect(two.of(place)?.text).toBe('ac')
  expect(two.getSnapshot().chosen).toBe(1)
  two.keep(draft('again', 'acd', 4))
  await two.flush()
  expect(await textsOf('again')).toEqual(['ab', 'acd'])
})

it('a draft that is saved takes no text along that another page has typed since', async () => {
  const place = draft('saved', '', 0)
  const { page: one } = await opened(place)
  one.keep(draft('saved', 'a', 1))
  await one.flush()
  const { page: two } = await opened(place)
  two.keep(draft('saved', 'ab', 2))
  await two.flush()
  one.remove(place)
  await one.flush()
  expect(await textsOf('saved')).toEqual(['ab'])
})

it('drafts that could not be moved to the id of the server are moved by the next page, none of them twice', async () => {
  const address = 'http://full'
  const { page: before } = await opened({ ...draft('fits', '', 0), server: address })
  before.keep({ ...draft('fits', 'fits in', 1), server: address })
  before.keep({ ...draft('not', 'too large to move', 2), server: address })
  await before.flush()
  refuse('too large to move')
  expect(await new DraftStore().adopt(address, 's')).toBe(false)
  expect(await textsOf('not')).toEqual(['too large to move'])
  vi.restoreAllMocks()
  const next = new DraftStore()
  expect(await next.adopt(address, 's')).toBe(true)
  await next.flush()
  expect(await textsOf('fits')).toEqual(['fits in'])
  expect(await textsOf('not')).toEqual(['too large to move'])
  expect(next.of(draft('not', '', 0))?.text).toBe('too large to move')
})

it('a full storage is reported, the text stays in the page, and what fits is stored all the same', async () => {
  refuse('too large')
  const store = new DraftStore()
  store.keep(draft('large', 'too large', 8))
  store.keep(draft('small', 'fits', 9))
  await store.flush()
  expect(store.getSnapshot().problem).toMatch(/storage of this browser is full/)
  expect(store.isAtRisk).toBe(true)
  await store.read()
  expect(store.of(draft('large', '', 0))?.text).toBe('too large')
  expect(store.getSnapshot().problem).toMatch(/storage of this browser is full/)
  expect(await textsOf('small')).toEqual(['fits'])

  // Place was made.
  vi.restoreAllMocks()
  await store.flush()
  expect(store.getSnapshot().problem).toBeNull()
  expect(store.isAtRisk).toBe(false)
  expect(await textsOf('large')).toEqual(['too large'])
})

it('offers the oldest draft for removal where there are too many or too long ones, and removes none', () => {
  const many = Array.from({ length: 301 }, (_, i) => draft(`a/${String(301 - i)}`, 'x', 301 - i))
  expect(oldestTooMany(many.slice(1))).toBeNull()
  expect(oldestTooMany(many)?.oldest.id).toBe('a/1')
  expect(
    oldestTooMany([draft('new', 'x'.repeat(30_000_000), 2), draft('old', 'x'.repeat(30_000_000), 1)]),
  ).toMatchObject({ oldest: { id: 'old' } })
  expect(draftName({ ...draft('', '', 0), kind: 'index', newId: 'By/Name' })).toBe('New index By/Name')
})

it('without storage of the browser drafts last as long as the page, which says so', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new Error('It is switched off.')
  })
  const store = new DraftStore()
  store.keep(draft('kept', 'x', 6))
  await store.flush()
  expect(store.getSnapshot()).toMatchObject({ all: [{ id: 'kept' }], problem: 'It is switched off.' })
})
