import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../testing/bytes-of.ts'
import { formatTicks, ticksFromMs } from '../../base/ticks.ts'
import { IoFeed } from '../../feeds/io/data/feed.ts'
import { readIo } from '../../feeds/io/data/reading/decode.ts'
import { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import type { IndexStats } from '../../feeds/indexing/data/watching/server-wire.ts'
import { indexTroublesOf, slowWritesOf } from './server-facts.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 5)
const NOW = ticksFromMs(NOW_MS)

const event = (agoMs: number, Type: string, Duration: number) => ({
  Start: formatTicks(ticksFromMs(NOW_MS - agoMs)),
  Size: 4096,
  HumaneSize: '',
  Duration,
  Type,
})

const document_ = (Recent: object[]) =>
  readIo(
    bytesOf({
      Environments: [
        { Path: '/data/a', Type: 'Documents', Files: [{ File: '1.journal', Status: 'InUse', Recent, History: [] }] },
      ],
      Performances: [],
    }),
  )

describe('slowWritesOf', () => {
  it('finds long writes of the last ten minutes, slowest first; null while nothing is watched', () => {
    const io = new IoFeed()
    expect(slowWritesOf(io, NOW)).toBeNull()
    io.store.ingest('file:x', document_([event(1000, 'JournalWrite', 9000)]), true)
    expect(slowWritesOf(io, NOW)).toBeNull()
    const events = [
      event(3_600_000, 'JournalWrite', 9000),
      event(60_000, 'JournalWrite', 1500),
      event(50_000, 'JournalWrite', 900),
      event(45_000, 'DataSync', 20_000),
      event(40_000, 'DataSync', 40_000),
    ]
    io.store.ingest('db:a', document_(events), true)
    // A sync runs beside the writers: it holds them up only when it takes long.
    expect(slowWritesOf(io, NOW)).toMatchObject([
      { source: 'db:a', kind: 'DataSync', durationTicks: 400_000_000 },
      { kind: 'JournalWrite', durationTicks: 15_000_000 },
    ])
  })
})

describe('slowWritesOf, syncs', () => {
  it('says which journal writes started during a sync and ended with it', () => {
    const io = new IoFeed()
    const events = [
      event(60_000, 'DataSync', 5000),
      event(57_000, 'JournalWrite', 2004),
      event(40_000, 'DataSync', 5000),
      event(38_000, 'JournalWrite', 1500),
      event(20_500, 'JournalWrite', 1500),
      event(20_000, 'DataSync', 1000),
    ]
    io.store.ingest('db:a', document_(events), true)
    const found = slowWritesOf(io, NOW)?.map(({ durationTicks, endsWithSync }) => [
      durationTicks / 10_000,
      endsWithSync,
    ])
    expect(found).toEqual([
      [2004, true],
      [1500, false],
      [1500, false],
    ])
  })
})

describe('indexTroublesOf', () => {
  const stats = (name: string, parts: Partial<IndexStats>): IndexStats =>
    ({
      name,
      type: 'Map',
      state: 'Normal',
      status: 'Running',
      isStale: false,
      isInvalid: false,
      createdTicks: null,
      ...parts,
    }) as IndexStats

  it('finds those that are stopped or far behind, and believes nothing that is old', () => {
    const indexing = new IndexingFeed()
    expect(indexTroublesOf(indexing, NOW)).toBeNull()
    const rows = [
      stats('fine', {}),
      stats('a little', { isStale: true }),
      stats('far', { isStale: true }),
      stats('paused', { isStale: true, status: 'Paused' }),
      stats('paused with nothing to do', { status: 'Paused' }),
      stats('broken', { state: 'Error' }),
      stats('faulty', { type: 'Faulty' }),
    ]
    indexing.facts.takeStats('db:a', rows, ticksFromMs(NOW_MS - 1000))
    // A lag is a count of documents, which only progress reports.
    expect(indexTroublesOf(indexing, NOW)!.map(({ detail }) => detail)).toContain(
      'Its status is Paused. It is not up to date.',
    )
    const left = (name: string, itemsLeft: number) => ({
      name,
      itemsLeft,
      itemsTotal: 40_000,
      tombstonesLeft: 0,
      processedPerSecond: null,
    })
    indexing.facts.takeProgress('db:a', [left('a little', 50), left('far', 20_000), left('paused', 3)], NOW_MS)
    expect(indexTroublesOf(indexing, NOW)!.map(({ index, trouble, detail }) => [index, trouble, detail])).toEqual([
      ['far', 'behind', '20,000 documents behind.'],
      ['paused', 'stopped', 'Its status is Paused. 3 documents behind.'],
      ['broken', 'stopped', 'It is in error.'],
      ['faulty', 'stopped', 'It could not be opened.'],
    ])
    expect(indexTroublesOf(indexing, ticksFromMs(NOW_MS + 600_000))).toBeNull()
  })
})
