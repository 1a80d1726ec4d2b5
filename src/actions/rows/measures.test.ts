import { beforeEach, describe, expect, it } from 'vitest'
import { Governor } from '../../ravendb/governor/governor.ts'
import { FakeRaven, json } from '../../testing/fake-raven.ts'
import { changeWords, figureVerdict, type Figure } from '../figures.ts'
import type { ActionTarget } from '../model.ts'
import { actionById } from '../table.ts'
import { actionResponses } from '../worker/responses.ts'

let raven: FakeRaven
let governor: Governor
beforeEach(() => {
  raven = new FakeRaven()
  raven.databases.set('shop', 'loaded')
  governor = new Governor(raven.env)
})

const { responses } = actionResponses()
const database = { kind: 'database', database: 'shop', name: null } as const

function measured(
  action: string,
  target: ActionTarget = database,
  tookMs: number | null = null,
): Promise<readonly Figure[] | null> | readonly Figure[] | null {
  const call = { action, target, inputs: {}, facts: {} }
  const response = responses['actions.measure']!({ call, tookMs }, governor, new AbortController().signal)
  return response
}
const words = (figures: readonly Figure[] | null): string[] | undefined =>
  figures?.map(({ label }) => `${label}: ${changeWords({ before: [], after: figures }, label)}`)

const listed = (parts: object): void =>
  raven.on(/^\/databases\?name=shop$/, () => ({ Databases: [{ Name: 'shop', ...parts }] }))

const stored = (data: number, journal: number, temp: number): void =>
  raven.on(/storage\/report/, () => ({
    Results: [
      {
        Name: 'shop',
        Type: 'Documents',
        Report: {
          DataFile: { AllocatedSpaceInBytes: data },
          Journals: [{ AllocatedSpaceInBytes: journal, Flushed: true }],
          TempFiles: [{ AllocatedSpaceInBytes: temp }],
        },
      },
    ],
  }))

describe('what an action is to change', () => {
  it('is read of a database without loading it, and of one that is gone', async () => {
    raven.databases.set('shop', 'unloaded')
    listed({ UpTime: null, TotalSize: { SizeInBytes: 2 ** 20 }, BackupInfo: { LastBackup: '2026-11-22T00:39:54' } })
    expect(words(await measured('database.backup'))).toEqual(['Last backup: 2026-11-22 00:39:54 UTC'])
    expect(words(await measured('database.restart'))).toEqual(['State: not loaded', 'Loaded for: —'])
    raven.on(/^\/databases\?name=shop$/, () => new Response(null, { status: 404 }))
    expect(words(await measured('database.delete'))).toEqual(['State: does not exist', 'On disk: —'])
    expect(raven.loads).toEqual([])
  })

  it('of a compaction is all that it takes on disk, temporary files and journals that wait for a sync included', async () => {
    const sized = async (data: number, temp: number): Promise<readonly Figure[] | null> => {
      const journal = 5 * 2 ** 20
      listed({ UpTime: '00:00:01', TotalSize: { SizeInBytes: data - journal }, TempBuffersSize: { SizeInBytes: temp } })
      stored(data - journal, journal, temp)
      return measured('database.compact')
    }
    const before = await sized(20 * 2 ** 20, 31 * 2 ** 20)
    const after = await sized(22 * 2 ** 20, 20 * 2 ** 20)
    expect(changeWords({ before, after }, 'On disk')).toBe('51.0 MiB → 42.0 MiB')
    expect(figureVerdict(before?.[0], after?.[0])).toBe('9.00 MiB less')
    // A part of it that grew is no verdict of the whole.
    expect(changeWords({ before, after }, 'Of it data and journals')).toBe('20.0 MiB → 22.0 MiB')
    expect(figureVerdict(before?.[1], after?.[1])).toBe('')
  })

  it('of a compaction is not known where its storage cannot be read, and is read from the list while it is unloaded', async () => {
    listed({ UpTime: '00:00:01', TotalSize: { SizeInBytes: 1024 } })
    raven.on(/storage\/report/, () => new Response(null, { status: 500 }))
    expect(words(await measured('database.compact'))).toEqual(['On disk: —', 'Of it data and journals: —'])
    raven.databases.set('shop', 'unloaded')
    listed({ UpTime: null, TotalSize: { SizeInBytes: 1024 } })
    expect(words(await measured('database.compact'))?.[0]).toBe('On disk: 1.00 KiB')
    expect(raven.loads).toEqual([])
  })

  it('of a restart is for how long it is loaded, and how long it took', async () => {
    listed({ UpTime: '00:00:01.5', DocumentsCount: 7 })
    expect(words(await measured('database.restart', database, 600))).toEqual([
      'State: loaded',
      'Loaded for: 1.50 s',
      'It took: 600 ms',
    ])
    expect(words(await measured('database.import'))).toEqual(['Documents: 7'])
  })

  it('of a flush is what its environment has in journals only', async () => {
    raven.on(/storage\/environment\/report/, () => ({
      Report: {
        Journals: {
          Journals: [{ LastTransaction: 3 }, { LastTransaction: 7 }],
          LastFlushedTransaction: 4,
          TotalWrittenButUnsyncedBytes: 4096,
        },
      },
    }))
    expect(words(await measured('database.flush'))).toEqual([
      'Last flushed transaction: 4',
      'Transactions only in journals: 3',
      'Not synced: 4.00 KiB',
    ])
  })

  it('of killing a query or an operation is whether it goes on, and what else does', async () => {
    raven.on(/queries\/running$/, () => ({ '@metadata': {}, A: [{ QueryId: 2 }], B: [{ QueryId: 3 }] }))
    const query = { kind: 'query', database: 'shop', name: '2 A' } as const
    expect(words(await measured('query.kill', query))).toEqual(['This query: runs', 'Queries that run: 2'])
    expect(words(await measured('query.kill', { ...query, name: '9 A' }))).toEqual([
      'This query: gone',
      'Queries that run: 2',
    ])
    raven.on(/operations\/state/, () => json({ Status: 'InProgress', Progress: { Processed: 40 }, Result: null }))
    const operation = { kind: 'operation', database: 'shop', name: '4' } as const
    expect(words(await measured('operation.kill', operation))).toEqual(['Operation: InProgress', 'Processed: 40'])
    raven.on(/operations\/state/, () => new Response(null, { status: 404 }))
    expect(words(await measured('operation.kill', operation))).toEqual(['Operation: not known to the server'])
  })

  it('of an index are its errors, and that there is one less', async () => {
    raven.on(/indexes\/stats$/, () => ({ Results: [{ Name: 'X', ErrorsCount: 3 }, { Name: 'Y' }] }))
    const index = { kind: 'index', database: 'shop', name: 'x' } as const
    listed({ TotalSize: { SizeInBytes: 1024 }, TempBuffersSize: { SizeInBytes: 1024 } })
    expect(words(await measured('index.clear-errors', index))).toEqual(['Errors: 3'])
    expect(words(await measured('index.delete', index))).toEqual(['Indexes: 2', 'On disk: 2.00 KiB'])
  })

  it('is not known where it cannot be read, and nothing is loaded for it', async () => {
    raven.databases.set('shop', 'unloaded')
    expect(await measured('database.flush')).toBeNull()
    expect(await measured('query.kill', { kind: 'query', database: 'shop', name: '2 A' })).toBeNull()
    expect(await measured('index.lock', { kind: 'index', database: 'shop', name: 'x' })).toBeNull()
    expect(raven.loads).toEqual([])
  })

  it('of a garbage collection is what the server answers', () => {
    const measure = actionById('server.gc')!.measure
    if (measure === undefined || !('answered' in measure)) throw new Error('it is not measured by its response')
    const figures = measure.answered({ BeforeGC: '1,024.5 MBytes', AfterGC: '512 MBytes', DurationInMs: 30 })
    expect(changeWords(figures!, 'Managed memory')).toBe('1.00 GiB → 512 MiB')
    expect(changeWords(measure.answered({ BeforeGC: 'much' })!, 'Managed memory')).toBe('— → —')
    expect(measure.answered(null)).toBeNull()
  })
})
