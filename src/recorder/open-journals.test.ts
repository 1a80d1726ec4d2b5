import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask } from '../../tools/record/ask.mjs'
import { parseTicks } from '../base/ticks.ts'
import type { ArchiveRecord, IoRecord } from '../capture/archive/records.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import type { UnfoldedRows } from './journal-files.ts'
import { JournalWriter } from './journal-writer.ts'
import { OpenJournals } from './open-journals.ts'
import { OwnJournals } from './own-journals.ts'
import { Pending } from './pending.ts'

const NODE = { name: 'a_8080', url: 'http://a:8080' }
const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')

const events = (from: number, count: number): IoRecord => ({
  t: 'io',
  source: 'db:shop',
  path: '/data/shop',
  type: 'Documents',
  kind: 'JournalWrite',
  file: '0.journal',
  c: [
    Array.from({ length: count }, (_, i) => TWO + (from + i) * 1_000_000),
    Array.from({ length: count }, () => 150_000),
    Array.from({ length: count }, () => 4096),
    ...[-1, -1, -1].map((none) => Array.from({ length: count }, () => none)),
  ],
})

let path = ''
let folder: Folder
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'journals-'))
  folder = await Folder.open(join(path, 'archive'))
  folder.commit({ ...NODE, journal: 0 }, [])
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

test('rows of a journal are in the calendar and in SQL once, while it grows and when it becomes files', async () => {
  const journals = new OpenJournals(folder.path, join(path, 'scratch'))
  const counts = async (): Promise<{ calendar: number; slow: number; sql: unknown }> => {
    const { manifest, hours, files } = await journals.read()
    const all = [...(manifest.hours ?? []), ...hours]
    const { rows } = await ask(folder.path, { files: [...manifest.files, ...files()] }, 'select count(*) from io')
    return {
      calendar: all.reduce((sum, hour) => sum + hour.events, 0),
      slow: all.reduce((sum, hour) => sum + hour.slow, 0),
      sql: rows[0]?.[0],
    }
  }
  const writer = new JournalWriter(folder, NODE.name, 0)
  const pending = new Pending()
  const write = (...records: readonly ArchiveRecord[]): void => {
    for (const record of records) {
      writer.add(record)
      pending.take(record)
    }
    writer.flush()
  }
  // A seed is in files already.
  write({ ...events(-10, 3), seed: 1 }, events(0, 5))
  expect(await counts()).toEqual({ calendar: 5, slow: 5, sql: 5 })
  write(events(5, 2))
  expect(await counts()).toEqual({ calendar: 7, slow: 7, sql: 7 })
  expect(await counts()).toEqual({ calendar: 7, slow: 7, sql: 7 })

  const next = new JournalWriter(folder, NODE.name, 1)
  next.add(events(7, 4))
  next.flush()
  writer.close()
  await fold(folder, NODE, pending, 1)
  expect(await counts()).toEqual({ calendar: 11, slow: 11, sql: 11 })
  next.close()
  // Files for earlier questions are removed in time.
  for (let reading = 0; reading < 5; reading++) await counts()
  const scratch = readdirSync(join(path, 'scratch'), { recursive: true, encoding: 'utf8' })
  expect(scratch.filter((name) => name.endsWith('.parquet'))).toHaveLength(1)
})

test('a recorder shows its own journals without reading them, each row once, also while they become files', async () => {
  const journal = { node: NODE.name, number: 0, pending: new Pending() }
  const folding: UnfoldedRows[] = []
  const recorder = {
    get unfolded() {
      const first = folder.manifest.nodes.find(({ name }) => name === NODE.name)?.journal ?? 0
      const old = folding.filter(({ number }) => number >= first)
      return [...old, journal]
    },
  }
  const own = new OwnJournals(folder, [recorder], join(path, 'scratch'))
  const count = async (): Promise<readonly [number, unknown]> => {
    const { manifest, hours, files } = await own.read()
    const all = [...(manifest.hours ?? []), ...hours]
    const { rows } = await ask(folder.path, { files: [...manifest.files, ...files()] }, 'select count(*) from io')
    return [all.reduce((sum, hour) => sum + hour.events, 0), rows[0]?.[0]]
  }
  journal.pending.take(events(0, 5))
  expect(await count()).toEqual([5, 5])
  folding.push({ ...journal })
  Object.assign(journal, { number: 1, pending: new Pending() })
  journal.pending.take(events(5, 2))
  expect(await count()).toEqual([7, 7])
  await fold(folder, NODE, folding[0]!.pending, 1)
  expect(await count()).toEqual([7, 7])
})
