import { expect, test } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { FileEntry } from '../../../capture/client/state.ts'
import { filterEntries, sortEntries } from './entries.ts'

const entry = (path: string, bytes: number, phase: FileEntry['phase'] = 'listed'): FileEntry => ({
  path,
  bytes: bytes as Bytes,
  feed: null,
  phase,
  message: '',
})
const entries = [entry('b/Tasks.json', 5), entry('a/io.json', 9, 'broken'), entry('a/stats.json', 5, 'read')]
const paths = (list: readonly FileEntry[]) => list.map(({ path }) => path)

test('entries are found by a part of their path, whatever the case', () => {
  expect(paths(filterEntries(entries, ' task'))).toEqual(['b/Tasks.json'])
  expect(paths(filterEntries(entries, 'A/'))).toEqual(['a/io.json', 'a/stats.json'])
  expect(filterEntries(entries, '')).toBe(entries)
})

test('entries are sorted by size and state, then by path; without a sort they are as in the package', () => {
  expect(sortEntries(entries, null)).toBe(entries)
  expect(paths(sortEntries(entries, { id: 'bytes', descending: true }))).toEqual([
    'a/io.json',
    'b/Tasks.json',
    'a/stats.json',
  ])
  expect(paths(sortEntries(entries, { id: 'state', descending: false }))[0]).toBe('a/io.json')
  expect(paths(sortEntries(entries, { id: 'path', descending: false }))).toEqual([
    'a/io.json',
    'a/stats.json',
    'b/Tasks.json',
  ])
})
