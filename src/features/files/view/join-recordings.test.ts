import { expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { FileState } from '../../../capture/client/state.ts'
import { joinRecordings, partOf } from './join-recordings.ts'

const fileOf = (id: number, name: string, paths: readonly string[], parts: Partial<FileState> = {}): FileState => ({
  id,
  name,
  phase: 'read',
  totalBytes: 100 as Bytes,
  readBytes: 100 as Bytes,
  startedMs: 1000 * id,
  endedMs: 1000 * id + 50,
  message: '',
  faultAt: null,
  sources: [`file:${name.replace(/ \(.*/, '')}/a_8080/shop`],
  servers: 0,
  entries: paths.map((path) => ({ path, bytes: 1 as Bytes, feed: 'io', phase: 'read', message: '' })),
  ...parts,
})
const hour = (at: number): string => `io/node=a_8080/day=2026-11-26/${String(at)}.parquet`

it('lists hours of a recording as one file, and what is another file of that name by itself', () => {
  const files = [
    fileOf(1, 'nightly', [hour(1)]),
    fileOf(2, 'other.json', []),
    fileOf(3, 'nightly (2)', [hour(2), hour(3)]),
    fileOf(4, 'nightly (3)', [], { phase: 'reading', endedMs: null, readBytes: 40 as Bytes }),
    fileOf(5, 'other.json (2)', []),
    fileOf(6, 'nightly (4)', ['package.json']),
  ]
  const listed = joinRecordings(files)
  expect(listed.map(({ file }) => [file.name, file.phase, file.entries.length])).toEqual([
    ['nightly', 'reading', 3],
    ['other.json', 'read', 0],
    ['other.json (2)', 'read', 0],
    ['nightly (4)', 'read', 1],
  ])
  const [nightly] = listed
  expect(nightly?.file).toMatchObject({ id: 4, readBytes: 240, totalBytes: 300, sources: ['file:nightly/a_8080/shop'] })
  // Some 100 ms went by for the 200 bytes of before.
  expect(nightly?.file.startedMs).toBe(3900)
  const entry = nightly?.file.entries[2] ?? null
  expect(nightly === undefined ? null : partOf(nightly, entry).id).toBe(3)
  const [over] = joinRecordings(files.slice(0, 3))
  expect(over?.file).toMatchObject({ phase: 'read', startedMs: 1000, endedMs: 1100 })
})

it('lists an hour that was read once more as it was read last, and until then as before', () => {
  const grown = (rows: number): string => `io/node=a_8080/day=2026-11-26/010000-${String(rows)}.parquet`
  const first = fileOf(1, 'fleet', [grown(3), hour(2)])
  const second = fileOf(2, 'fleet (2)', [grown(5)])
  const pathsOf = (files: readonly FileState[]) => joinRecordings(files)[0]?.file.entries.map(({ path }) => path)
  expect(pathsOf([first, second])).toEqual([hour(2), grown(5)])
  const reading = second.entries.map((entry) => ({ ...entry, phase: 'reading' as const }))
  expect(pathsOf([first, { ...second, entries: reading }])).toEqual([grown(3), hour(2), grown(5)])
})

it('lists another recording by itself, though its folder is named as a later hour would be', () => {
  const files = [
    fileOf(1, 'nightly', [hour(1)]),
    fileOf(2, 'nightly (2)', [hour(1)], { sources: ['file:nightly (2)/b_8080/shop'] }),
    fileOf(3, 'nightly (3)', [hour(2)]),
  ]
  expect(joinRecordings(files).map(({ file }) => [file.name, file.entries.length])).toEqual([
    ['nightly', 2],
    ['nightly (2)', 1],
  ])
})
