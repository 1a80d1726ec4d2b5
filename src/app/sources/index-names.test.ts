import { expect, test } from 'vitest'
import { bytesOf } from '../../testing/bytes-of.ts'
import { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { readIo } from '../../feeds/io/data/reading/decode.ts'
import type { IndexStats } from '../../feeds/indexing/data/watching/server-wire.ts'
import { indexNamesOf } from './index-names.ts'

const DOCUMENT = readIo(
  bytesOf({
    Environments: [
      {
        Path: '/data/Indexes/Users_ByName',
        Type: 'Index',
        Files: [
          {
            File: '1.journal',
            Status: 'InUse',
            Recent: [{ Start: '2026-11-20T04:00:00.0000000Z', Size: 1, Duration: 1, Type: 'JournalWrite' }],
            History: [],
          },
        ],
      },
    ],
    Performances: [],
  }),
)
const stats = (...names: readonly string[]): IndexStats[] =>
  names.map((name) => ({ name, type: 'Map', state: 'Normal', status: 'Running', createdTicks: null }) as IndexStats)

test('I/O of a package takes real names of indexes from its responses on indexing, whichever was read first', () => {
  const indexing = new IndexingFeed()
  const namesOf = indexNamesOf(indexing)
  const io = new IoFeed(namesOf)
  const tell = (source: string, ...names: readonly string[]): void => {
    indexing.facts.takeStats(source, stats(...names), Number.NaN)
    indexing.store.version++
  }
  io.store.ingest('file:day.zip/shop', DOCUMENT, true)
  io.store.ingest('file:day.zip/other', DOCUMENT, true)
  io.store.ingest('db:shop', DOCUMENT, true)
  const labels = (): unknown[] => Array.from(io.store.lanes.values(), (lane) => io.names.labelOf(lane))
  const folder = { label: 'Users_ByName', labelIsReal: false }
  expect(labels()).toEqual([folder, folder, folder])
  tell('file:day.zip/shop', 'Users/ByName')
  tell('db:shop', 'Users/ByName')
  // The names of a watched database come from the server.
  expect(labels()).toEqual([{ label: 'Users/ByName', labelIsReal: true }, folder, folder])
  const held = namesOf('file:day.zip/shop')
  tell('file:day.zip/shop', 'Users/ByName')
  expect(namesOf('file:day.zip/shop')).toBe(held)
  tell('file:day.zip/shop', 'Users/ByName', 'Users/ByAge')
  expect(namesOf('file:day.zip/shop')).toEqual(['Users/ByName', 'Users/ByAge'])
})
