import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import type { Draft } from './draft.ts'
import { DraftStore } from './draft-store.ts'

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
  expect(other.getSnapshot()).toEqual({ all: [draft('a/2', 'c', 3), draft('a/1', 'ab', 2)], problem: null })
})

it('what is typed is stored by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const store = new DraftStore()
  store.keep(draft('typed', 'x', 5))
  vi.advanceTimersByTime(200)
  vi.useRealTimers()
  await store.flush()
  const other = new DraftStore()
  await other.read()
  expect(other.getSnapshot().all?.some(({ id }) => id === 'typed')).toBe(true)
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
