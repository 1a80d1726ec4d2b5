import { describe, expect, test, vi } from 'vitest'
import { ALL_TIMES, parseTicks, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'
import type { CaptureClient } from '../client/client.ts'
import { listTar } from '../reading/tar.ts'
import type { FileState } from '../client/state.ts'
import { asPackage } from './as-package.ts'
import { type ArchiveFile, emptyManifest } from './manifest.ts'
import {
  FileGone,
  filesReachTo,
  hoursOf,
  FIRST_ROWS,
  MOST_ROWS,
  newestRange,
  openRecording,
  openShareOf,
  readListAgain,
  recordingIn,
  recordings,
  type Recording,
} from './recordings.ts'

const HOUR = 3600 * TICKS_PER_SECOND
const MIDNIGHT = parseTicks('2026-11-26T00:00:00.0000000Z')

const fileOf = (hour: number, rows: number): ArchiveFile => ({
  path: `io/node=a_8080/day=2026-11-26/${String(hour).padStart(2, '0')}0000-1.parquet`,
  table: 'io',
  node: 'a_8080',
  day: '2026-11-26',
  rows,
  bytes: rows * 5,
  minTicks: MIDNIGHT + hour * HOUR,
  maxTicks: MIDNIGHT + hour * HOUR + HOUR - 1,
})
/** A capture with files that it has read: none, or those of the recording with these paths. */
const capture = (packages: File[], open: readonly string[] = []) => {
  const entries = open.map((path) => ({ path }))
  const files = [
    { name: 'archive', phase: 'read', sources: ['file:archive/a_8080/server'], entries },
  ] as unknown as FileState[]
  return {
    openFiles: (given: readonly File[]) => packages.push(...given),
    getState: () => ({ files }) as unknown as ReturnType<CaptureClient['getState']>,
  }
}
/** As the capture lists a package that was handed over. */
const stateOf = ({ name }: File) => ({ name, phase: 'waiting', sources: [], entries: [] })
const manifestOf = (...files: readonly ArchiveFile[]) => ({ ...emptyManifest(), files })

describe('a folder as a package', () => {
  test('has its files under their paths, to the byte', async () => {
    const long = `notifications/node=${'n'.repeat(60)}/day=2026-11-26/223843-2.parquet`
    const files = [
      { path: long, blob: new Blob(['a'.repeat(512)]) },
      { path: 'journal/a.1.journal', blob: new Blob(['RKJ1']) },
      { path: `${'x'.repeat(300)}.parquet`, blob: new Blob(['left out']) },
    ]
    const tar = asPackage('archive', files)
    const entries = await listTar(tar)
    expect(entries.map(({ name, bytes }) => [name, bytes])).toEqual([
      [long, 512],
      ['journal/a.1.journal', 4],
    ])
    const [, journal] = entries
    expect(await tar.slice(journal?.at, (journal?.at ?? 0) + 4).text()).toBe('RKJ1')
  })
})

/** Files of a package, without the list of its parts. */
const contentsOf = async (file: File) => (await listTar(file)).filter(({ name }) => name !== 'parts.json')

describe('a recording', () => {
  test('is opened whole where it is small, else its newest hours, and its newest hour in any case', () => {
    expect(newestRange(manifestOf(fileOf(1, 10), fileOf(2, 10)))).toBe(ALL_TIMES)
    const range = (...files: ArchiveFile[]): number => newestRange(manifestOf(...files)).startTicks
    expect(range(fileOf(1, FIRST_ROWS), fileOf(2, 10))).toBe(MIDNIGHT + 2 * HOUR)
    expect(range(fileOf(1, 10), fileOf(2, 2 * FIRST_ROWS))).toBe(MIDNIGHT + 2 * HOUR)
    expect(range(fileOf(1, 10), { ...fileOf(2, 10), bytes: 5_000_000 })).toBe(MIDNIGHT + 2 * HOUR)
  })

  test('knows its hours with rows and bytes', () => {
    expect(hoursOf(manifestOf(fileOf(3, 1), fileOf(1, 2), { ...fileOf(3, 4), table: 'batches' }))).toEqual([
      { startTicks: MIDNIGHT + HOUR, endTicks: MIDNIGHT + 2 * HOUR, rows: 2, bytes: 10 },
      { startTicks: MIDNIGHT + 3 * HOUR, endTicks: MIDNIGHT + 4 * HOUR, rows: 5, bytes: 25 },
    ])
  })

  test('opens what lies in a range, and its journal only at its end', async () => {
    const manifest = manifestOf(fileOf(1, 1), fileOf(2, 1))
    const files = [...manifest.files.map(({ path }) => path), 'journal/a_8080.1.journal']
    const recording = await recordingIn('archive', [
      { path: 'manifest.json', blob: new Blob([JSON.stringify(manifest)]) },
      ...files.map((path) => ({ path, blob: new Blob([path]) })),
    ])
    const opened = async (startTicks: number, endTicks: number): Promise<readonly string[]> => {
      const packages: File[] = []
      const range = { startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
      if (recording !== null) await openRecording(capture(packages), recording, range, null)
      return packages[0] === undefined ? [] : (await contentsOf(packages[0])).map(({ name }) => name)
    }
    expect(await opened(MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR)).toEqual(files.slice(0, 1))
    expect(await opened(MIDNIGHT + 2 * HOUR, MIDNIGHT + 3 * HOUR)).toEqual(files.slice(1))
    expect(await opened(ALL_TIMES.startTicks, ALL_TIMES.endTicks)).toEqual(files)
  })

  test('opens no file twice, but a journal, which grows', async () => {
    const manifest = manifestOf(fileOf(1, 1), fileOf(2, 1))
    const paths = manifest.files.map(({ path }) => path)
    const recording = {
      name: 'archive',
      manifest,
      journals: ['journal/a_8080.1.journal'],
      read: () => Promise.resolve(new Blob()),
    }
    const packages: File[] = []
    await openRecording(capture(packages, paths.slice(0, 1)), recording, ALL_TIMES, null)
    const [first] = packages
    expect(first === undefined ? [] : (await contentsOf(first)).map(({ name }) => name)).toEqual([
      ...paths.slice(1),
      'journal/a_8080.1.journal',
    ])
    const range = { startTicks: (MIDNIGHT + HOUR) as Ticks, endTicks: (MIDNIGHT + 2 * HOUR) as Ticks }
    await openRecording(capture(packages, paths), recording, range, null)
    expect(packages).toHaveLength(1)
  })

  test('says what of a range is not open, from the moment that files are handed over, until their reading is stopped', async () => {
    const day: ArchiveFile = {
      ...fileOf(1, 30),
      path: 'vitals/node=a_8080/day=2026-11-26/000000-to-235959.parquet',
      hourRows: [
        [MIDNIGHT, 10],
        [MIDNIGHT + HOUR, 20],
      ],
      minTicks: MIDNIGHT,
    }
    const manifest = manifestOf(fileOf(1, 5), fileOf(2, MOST_ROWS + 1), day)
    const recording = { name: 'month', manifest, journals: [], read: () => Promise.resolve(new Blob(['x'])) }
    const range = (from: number, to: number) => ({
      startTicks: (MIDNIGHT + from * HOUR) as Ticks,
      endTicks: (MIDNIGHT + to * HOUR - 1) as Ticks,
    })
    const files: FileState[] = []
    const page = {
      openFiles: () => undefined,
      getState: () => ({ files }) as unknown as ReturnType<CaptureClient['getState']>,
    }
    expect(openShareOf(page, recording, range(1, 2))).toEqual({
      hours: 1,
      closedHours: 1,
      closedRows: 25,
      mayFollow: true,
    })
    expect(openShareOf(page, recording, range(0, 3))).toMatchObject({ hours: 3, closedHours: 3, mayFollow: false })
    await openRecording(page, recording, range(1, 2), null)
    expect(openShareOf(page, recording, range(0, 2))).toMatchObject({ hours: 2, closedHours: 0, closedRows: 0 })
    files.push({ name: 'month', phase: 'cancelled', sources: [], entries: [] } as unknown as FileState)
    expect(openShareOf(page, recording, range(0, 2))).toMatchObject({ closedHours: 2, closedRows: 35 })
  })

  test('has a file open that a recorder made of open ones, unless it has more rows', async () => {
    const page = capture([])
    const read = () => Promise.resolve(new Blob(['x']))
    const files = [fileOf(1, 3), fileOf(2, 4)]
    const recording = { name: 'merged', manifest: manifestOf(...files), journals: [], read }
    await openRecording(page, recording, ALL_TIMES, null)
    const day = (rows: number) => ({
      ...recording,
      manifest: manifestOf({
        ...fileOf(1, rows),
        path: 'io/node=a_8080/day=2026-11-26/day.parquet',
        maxTicks: MIDNIGHT + 3 * HOUR,
      }),
    })
    expect(openShareOf(page, day(7), ALL_TIMES)).toMatchObject({ closedHours: 0, closedRows: 0 })
    expect(openShareOf(page, day(8), ALL_TIMES)).toMatchObject({ closedRows: 8 })
  })

  test('opens the row groups of a file that a range needs, each once, with what describes them', async () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => at)
    const file: ArchiveFile = {
      ...fileOf(0, 60),
      path: 'io/node=a_8080/day=2026-11-26/000000-to-025959.parquet',
      bytes: 100,
      maxTicks: MIDNIGHT + 3 * HOUR - 1,
      hourRows: [0, 1, 2].map((hour) => [MIDNIGHT + hour * HOUR, 20] as const),
      groups: [0, 1, 2].map(
        (hour) => [MIDNIGHT + hour * HOUR, MIDNIGHT + (hour + 1) * HOUR - 1, 20, 30 * (hour + 1)] as const,
      ),
    }
    const reads: string[] = []
    const recording: Recording = {
      name: 'by range',
      manifest: manifestOf(file),
      journals: [],
      read: (_, range = { start: 0, end: 100 }, size) => {
        reads.push(`${String(range.start)}-${String(range.end)} of ${String(size)}`)
        return Promise.resolve(new Blob([bytes.slice(range.start, range.end)]))
      },
    }
    const packages: File[] = []
    const own = { ...capture(packages), getState: () => ({ files: packages.map(stateOf) }) as never }
    const opened = async (from: number, to: number): Promise<readonly string[]> => {
      const before = packages.length
      const range = { startTicks: (MIDNIGHT + from * HOUR) as Ticks, endTicks: (MIDNIGHT + to * HOUR) as Ticks }
      await openRecording(own, recording, range, null)
      const names = await Promise.all(packages.slice(before).map(contentsOf))
      return names.flat().map(({ name, bytes: size }) => `${name.slice(-25)} ${String(size)}`)
    }
    const share = (from: number, to: number) =>
      openShareOf(own, recording, {
        startTicks: (MIDNIGHT + from * HOUR) as Ticks,
        endTicks: (MIDNIGHT + to * HOUR) as Ticks,
      })
    expect(share(0, 3)).toEqual({ hours: 3, closedHours: 3, closedRows: 60, mayFollow: true })
    expect(await opened(1, 2)).toEqual(['025959.groups-1-1.parquet 40'])
    expect(reads.splice(0)).toEqual(['30-60 of 100', '90-100 of 100'])
    expect(share(0, 3)).toEqual({ hours: 3, closedHours: 2, closedRows: 40, mayFollow: true })
    expect(share(1, 2)).toMatchObject({ closedHours: 0 })
    // The last groups end where the description begins.
    expect(await opened(1, 3)).toEqual(['025959.groups-2-2.parquet 40'])
    expect(reads.splice(0)).toEqual(['60-100 of 100'])
    expect(await opened(0, 3)).toEqual(['025959.groups-0-0.parquet 36'])
    expect(await opened(0, 3)).toEqual([])
    expect(share(0, 3)).toMatchObject({ closedHours: 0, closedRows: 0 })
  })

  test('is read as a whole where all groups are wanted, and knows groups that were made of open files', async () => {
    const whole: ArchiveFile = {
      ...fileOf(0, 40),
      path: 'io/node=a_8080/day=2026-11-26/000000-to-015959.parquet',
      maxTicks: MIDNIGHT + 2 * HOUR - 1,
      groups: [0, 1].map(
        (hour) => [MIDNIGHT + hour * HOUR, MIDNIGHT + (hour + 1) * HOUR - 1, 20, 100 * (hour + 1)] as const,
      ),
    }
    const packages: File[] = []
    const own = { ...capture(packages), getState: () => ({ files: packages.map(stateOf) }) as never }
    const read = () => Promise.resolve(new Blob(['x']))
    const before: Recording = { name: 'made', manifest: manifestOf(fileOf(0, 20)), journals: [], read }
    await openRecording(own, before, ALL_TIMES, null)
    const after: Recording = { ...before, manifest: manifestOf(whole) }
    expect(openShareOf(own, after, ALL_TIMES)).toMatchObject({ closedRows: 20 })
    const other: Recording = { ...after, name: 'other' }
    await openRecording(own, other, ALL_TIMES, null)
    expect(await contentsOf(packages.at(-1) as File)).toMatchObject([{ name: whole.path }])
  })

  test('that lacks a listed file opens the others, and says which is missing', async () => {
    const manifest = JSON.stringify(manifestOf(fileOf(1, 1), fileOf(2, 1)))
    const folder = [
      { path: 'manifest.json', blob: new Blob([manifest]) },
      { path: fileOf(2, 1).path, blob: new Blob(['x']) },
    ]
    const recording = await recordingIn('lacking', folder)
    const packages: File[] = []
    const own = { ...capture(packages), getState: () => ({ files: packages.map(stateOf) }) as never }
    const missing = `The folder lacks ${fileOf(1, 1).path}.`
    expect(await openRecording(own, recording!, ALL_TIMES, null)).toEqual({ missing })
    expect(recordings.lackOf(recording!.name)).toBe(missing)
    // The missing one has no bytes in the package, whose reader makes a gap of it.
    expect((await contentsOf(packages[0] as File)).map(({ name, bytes }) => [name, bytes])).toEqual([
      [fileOf(1, 1).path, 0],
      [fileOf(2, 1).path, 1],
    ])
    expect(openShareOf(own, recording!, ALL_TIMES)).toMatchObject({ closedRows: 0 })
  })

  test('reads its list once more where a recorder made one file of several meanwhile', async () => {
    const merged = { ...fileOf(1, 3), path: 'io/node=a_8080/day=2026-11-26/010000-to-030000.parquet' }
    const again = {
      name: 'live',
      manifest: manifestOf(merged),
      journals: [],
      read: () => Promise.resolve(new Blob(['x'])),
    }
    const before = {
      name: 'live',
      manifest: manifestOf(fileOf(1, 1), fileOf(2, 2)),
      journals: [],
      read: (path: string) => Promise.reject(new FileGone(path)),
    }
    const packages: File[] = []
    await openRecording(capture(packages), { ...before, again: () => Promise.resolve(again) }, ALL_TIMES, null)
    expect(packages.map(({ name }) => name)).toEqual(['live'])
    expect((await contentsOf(packages[0] as File)).map(({ name }) => name)).toEqual([merged.path])
    expect(recordings.get().filter(({ name }) => name.startsWith('live'))).toEqual([again])
    // Without another list, what is gone is missing, and the rest is open.
    const [first] = before.manifest.files
    expect(await openRecording(capture([]), { ...before, name: 'other' }, ALL_TIMES, null)).toEqual({
      missing: `The folder lacks ${String(first?.path)}, and 1 more file of its list.`,
    })
  })

  test('that is served gets the hours that a recorder has added, in its own place', async () => {
    const of = (manifest: ReturnType<typeof manifestOf>): Recording => ({
      name: 'growing',
      manifest,
      journals: ['journal/a_8080.2.journal'],
      read: () => Promise.resolve(new Blob(['x'])),
    })
    const later = of(manifestOf(fileOf(1, 1), fileOf(2, 1)))
    await openRecording(
      capture([]),
      { ...of(manifestOf(fileOf(1, 1))), again: () => Promise.resolve(later) },
      ALL_TIMES,
      null,
    )
    const shown = () => recordings.get().filter(({ name }) => name.startsWith('growing'))
    expect(shown().map(({ manifest }) => filesReachTo(manifest))).toEqual([fileOf(1, 1).maxTicks])
    for (const each of shown()) await readListAgain(each)
    expect(shown().map(({ manifest }) => filesReachTo(manifest))).toEqual([fileOf(2, 1).maxTicks])
    expect(filesReachTo(manifestOf())).toBeNull()
  })

  test('that has grown is read again by itself after some minutes, or for a range behind what is open', async () => {
    const read = () => Promise.resolve(new Blob(['x']))
    const grown = (rows: number): Recording => {
      const path = `io/node=a_8080/day=2026-11-26/010000-${String(rows)}.parquet`
      return {
        name: 'grown',
        manifest: manifestOf(fileOf(0, 1), { ...fileOf(1, rows), path, maxTicks: MIDNIGHT + HOUR + rows }),
        journals: [],
        read,
      }
    }
    const packages: File[] = []
    const page = capture(packages)
    const closed = (rows: number, startTicks: number): number =>
      openShareOf(page, grown(rows), { ...ALL_TIMES, startTicks: startTicks as Ticks }).closedRows
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
    try {
      expect(closed(10, MIDNIGHT + HOUR)).toBe(10)
      await openRecording(page, grown(10), ALL_TIMES, null)
      expect(closed(20, MIDNIGHT + HOUR)).toBe(0)
      expect(closed(20, MIDNIGHT + HOUR + 11)).toBe(20)
      now.mockReturnValue(1_300_000)
      expect(closed(20, MIDNIGHT + HOUR)).toBe(20)
      await openRecording(page, grown(20), ALL_TIMES, null)
      expect(closed(30, MIDNIGHT + HOUR + 15)).toBe(0)
      expect(packages).toHaveLength(2)
    } finally {
      now.mockRestore()
    }
  })

  test('keeps its newest list when an older one is opened or arrives later', async () => {
    const read = () => Promise.resolve(new Blob(['x']))
    const of = (hours: readonly number[], again?: () => Promise<Recording>): Recording => ({
      name: 'ordered',
      manifest: manifestOf(...hours.map((hour) => fileOf(hour, 1))),
      journals: [],
      read,
      ...(again === undefined ? {} : { again }),
    })
    const newest = of([1, 2, 3])
    const first = of([1], () => Promise.resolve(newest))
    const shown = () => recordings.get().filter(({ name }) => name.startsWith('ordered'))
    const page = capture([])
    await openRecording(page, first, ALL_TIMES, null)
    await readListAgain(first)
    expect(shown()).toEqual([newest])
    await openRecording(page, first, ALL_TIMES, null)
    await openRecording(page, of([1, 2]), ALL_TIMES, null)
    await readListAgain({ ...first, again: () => Promise.resolve(of([1, 2])) })
    expect(shown()).toEqual([newest])
  })

  test('with the name of another one that is known gets a name of its own', async () => {
    const opened = async (manifest: ReturnType<typeof manifestOf>): Promise<string | undefined> => {
      const packages: File[] = []
      const recording = { name: 'logs', manifest, journals: [], read: () => Promise.resolve(new Blob(['x'])) }
      await openRecording(capture(packages), recording, ALL_TIMES, null)
      return packages[0]?.name
    }
    const first = manifestOf(fileOf(1, 1))
    expect(await opened(first)).toBe('logs')
    expect(await opened(manifestOf(fileOf(1, 1), fileOf(2, 1)))).toBe('logs')
    expect(await opened(manifestOf(fileOf(5, 1)))).toBe('logs 2')
  })

  test('of a folder without a manifest is none', async () => {
    expect(await recordingIn('photos', [{ path: 'a.jpg', blob: new Blob() }])).toBeNull()
  })
})
