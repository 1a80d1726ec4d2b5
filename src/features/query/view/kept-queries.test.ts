import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  forgetSaved,
  isOf,
  keepRecent,
  recentQueries,
  savedQueries,
  saveQuery,
  withoutRepeats,
  type KeptQuery,
} from './kept-queries.ts'

afterEach(() => void vi.unstubAllGlobals())
beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

const query = (server: string | undefined, text: string, name = ''): KeptQuery => ({
  ...(server === undefined ? {} : { server }),
  database: 'Shop',
  text,
  parameters: '',
  atMs: 1,
  name,
})
const shownAt = (server: string, all: readonly KeptQuery[]): readonly string[] =>
  all.filter((each) => isOf(each, { server, database: 'Shop' })).map(({ text }) => text)

it('keeps saved queries of two servers at one address apart', () => {
  saveQuery(query('a', 'from A', 'mine'))
  saveQuery(query('b', 'from B', 'mine'))
  expect(shownAt('a', savedQueries())).toEqual(['from A'])
  expect(shownAt('b', savedQueries())).toEqual(['from B'])
  forgetSaved(query('a', '', 'mine'))
  expect(savedQueries().map(({ text }) => text)).toEqual(['from B'])
})

it('gives each server a number of recent queries of its own', () => {
  keepRecent(query('a', 'from A'))
  for (let i = 0; i < 60; i++) keepRecent(query('b', `from B${String(i)}`))
  expect(shownAt('a', recentQueries())).toEqual(['from A'])
  expect(shownAt('b', recentQueries())).toHaveLength(50)
})

it('shows what was kept before servers were told apart at each of them, and loses none of it', () => {
  saveQuery(query(undefined, 'from Before', 'mine'))
  keepRecent(query(undefined, 'from Before'))
  saveQuery(query('a', 'from A', 'mine'))
  keepRecent(query('http://here', 'before it said its id'))
  expect(shownAt('a', recentQueries())).toEqual(['before it said its id', 'from Before'])
  expect(shownAt('a', savedQueries())).toEqual(['from Before', 'from A'])
  expect(shownAt('b', savedQueries())).toEqual(['from Before'])
  expect(shownAt('b', recentQueries())).toEqual(['before it said its id', 'from Before'])
})

it('lists a recent query once that was run before the server reported its id and after', () => {
  keepRecent(query('http://here', 'run twice'))
  keepRecent(query('http://here', 'run once'))
  keepRecent(query('a', 'run twice'))
  expect(shownAt('a', withoutRepeats(recentQueries()))).toEqual(['run twice', 'run once'])
  expect(shownAt('b', recentQueries())).toEqual(['run once', 'run twice'])
})
