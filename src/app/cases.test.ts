import { gzipSync, zipSync } from 'fflate'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadUnpackers } from '../capture/reading/files.ts'
import { loadMainBody } from '../capture/worker/main-bodies.ts'
import { openAlone, type Opened } from '../testing/opened-file.ts'

/** Opens one of the cases, or other contents under that name. */
const open = (name: string, contents?: Uint8Array<ArrayBuffer>): Promise<Opened> =>
  openAlone(name, contents ?? readFileSync(join(import.meta.dirname, '../testing/cases', name)))

/** Figures of sources whatever the file's name is. */
const figures = ({ rows }: Opened, name: string): readonly unknown[] =>
  rows.map((row) => JSON.parse(JSON.stringify(row).replaceAll(name, '…')) as unknown)

beforeAll(() => Promise.all([loadUnpackers(), loadMainBody()]))

describe('files with faults that users of other tools reported', () => {
  test('an event whose size makes no sense is kept without one', async () => {
    const { state, rows } = await open('io-size-overflow.json')
    expect(rows).toMatchObject([
      { count: 7, slowestMs: 31_000, bytes: 24_576, lastMs: Date.UTC(2026, 10, 20, 4, 0, 6) },
    ])
    expect(state).toMatchObject({ phase: 'read', message: '' })
  })

  test('an event that cannot be placed in time is named', async () => {
    const text = readFileSync(join(import.meta.dirname, '../testing/cases/io-size-overflow.json'), 'utf8')
    const { state, rows } = await open(
      'x',
      new TextEncoder().encode(text.replace('"Duration": 31000.0', '"Duration": -1')),
    )
    expect(rows).toMatchObject([{ count: 6 }])
    expect(state.message).toContain('got JournalWrite, 2026-11-20T04:00:06.0000000Z, -1 ms')
  })

  test('the first picture reaches to the end of the last event', async () => {
    const { fitted } = await open('io-last-event-long.json')
    expect(fitted?.[1] ?? '').toMatch(/^2026-11-20T04:00:37/)
  })

  test('one event of another year does not squeeze the others, and is named', async () => {
    const text = readFileSync(join(import.meta.dirname, '../testing/cases/io-last-event-long.json'), 'utf8')
    const { fitted, rows, extents } = await open(
      'year',
      new TextEncoder().encode(text.replace('2026-11-20T04:00:00', '2001-11-20T04:00:00')),
    )
    expect(rows).toMatchObject([{ firstMs: Date.UTC(2001, 10, 20, 4) }])
    expect(fitted?.[0] ?? '').toMatch(/^2026-11-20T04:00:0/)
    expect(fitted?.[1] ?? '').toMatch(/^2026-11-20T04:00:37/)
    expect(extents.flatMap((extent) => extent?.far ?? []).map(({ count }) => count)).toEqual([1])
    const days = await open(
      'days',
      readFileSync(join(import.meta.dirname, '../testing/cases/io-same-hour-three-days.json')),
    )
    expect(days.extents.flatMap((extent) => extent?.far ?? [])).toEqual([])
  })

  test('times with an offset are read', async () => {
    const { rows, state } = await open('io-offset-plus-3.json')
    expect(rows).toMatchObject([{ count: 6, firstMs: Date.UTC(2026, 10, 20, 1) }])
    expect(state.message).toBe('')
  })

  test('UTF-16 is read, alone, gzipped and in a package', async () => {
    const bytes = readFileSync(join(import.meta.dirname, '../testing/cases/io-utf16le.json'))
    const packed = zipSync({ 'demo/io-metrics.json': bytes })
    for (const contents of [bytes, gzipSync(bytes), packed]) {
      const { rows } = await open('utf16', new Uint8Array(contents))
      expect(rows).toMatchObject([{ feed: 'io', count: 4 }])
    }
  })

  test('a package of Windows has the figures of one of Linux; so has a tar', async () => {
    const slash = figures(await open('package-slash.zip'), 'package-slash.zip')
    expect(slash.length).toBeGreaterThan(3)
    expect(figures(await open('package-backslash.zip'), 'package-backslash.zip')).toEqual(slash)
    expect(figures(await open('package.tar.gz'), 'package.tar.gz')).toEqual(slash)
  })

  test('what the server could not gather is said first, with its reason', async () => {
    const { state } = await open('package-errors.zip')
    expect(state.message).toMatch(/^The server could not gather 3 entries; /)
    const phases = Object.fromEntries(state.entries.map(({ path, phase, message }) => [path, `${phase}: ${message}`]))
    expect(phases['server-wide/admin.threads.stack-trace.error']).toBe(
      'not-gathered: The server could not gather it: System.InvalidOperationException: no helper',
    )
    expect(phases['demo/indexes.performance.json']).toBe('empty: The entry is empty.')
    expect(phases['demo/indexes.stats.json']).toBe('broken: The entry ends in the middle of its JSON.')
  })

  test.each([
    ['io-empty.json', 'It holds no I/O events.'],
    ['batches-no-batches.json', 'It holds no batches.'],
  ])('%s is read, and says that it holds nothing', async (name, message) => {
    const { state, rows } = await open(name)
    expect(state).toMatchObject({ phase: 'read', message })
    expect(rows).toEqual([])
  })

  test('sizes that 4.0 wrote as numbers are read', async () => {
    const { rows } = await open('batches-documents-size-number.json')
    expect(rows.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(300_000)
  })
})
