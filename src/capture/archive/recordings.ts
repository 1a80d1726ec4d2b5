import { ALL_TIMES, type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { CaptureClient } from '../client/client.ts'
import { asPackage, type PackedFile } from './as-package.ts'
import {
  type ArchiveFile,
  HOUR_TICKS,
  hourRowsOf,
  isThinned,
  journalOf,
  type Manifest,
  MANIFEST_FILE,
  readManifest,
} from './manifest.ts'

/** An archive that can be opened, as a whole or a range of it. */
export interface Recording {
  readonly name: string
  readonly manifest: Manifest
  /** Paths of journals, with what arrived since files were last written; they have no range of their own. */
  readonly journals: readonly string[]
  /** The hours of the manifest have the rows of journals, too. */
  readonly countsJournals?: true
  /** Errors: `FileGone` where another file took its place, or it was too old. */
  readonly read: (path: string) => Promise<Blob>
  /** Reads its list once more; left out where the list stays true. */
  readonly again?: () => Promise<Recording>
}

/** A file of the list is there no longer: the recorder has made one of several. */
export class FileGone extends Error {
  override readonly name = 'FileGone'
}

/** A list is read so often for one range, while a recorder is at work on its files. */
const MOST_LISTS = 4

/** An hour of a recording, as far as files have it; bytes of a file of several are shared out by rows. */
export interface RecordedHour extends TimeRange {
  readonly rows: number
  readonly bytes: number
}

/** A recording with more rows is not opened whole, but its newest hours. */
export const MOST_ROWS = 3_000_000

type Params = Parameters<CaptureClient['openFiles']>[1]

let known: readonly Recording[] = []
const listeners = new Set<() => void>()

/** Recordings that this page has opened, for `useSyncExternalStore`. */
export const recordings = {
  get: (): readonly Recording[] => known,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** The recording in a folder; null: it is none. Paths are those in the folder. Errors: `Error` for a manifest that cannot be read. */
export async function recordingIn(name: string, files: readonly PackedFile[]): Promise<Recording | null> {
  const byPath = new Map(files.map(({ path, blob }) => [path, blob]))
  const manifest = byPath.get(MANIFEST_FILE)
  if (manifest === undefined) return null
  return {
    name,
    manifest: readManifest(await manifest.text()),
    journals: [...byPath.keys()].filter((path) => journalOf(path) !== null),
    read: (path) => {
      const blob = byPath.get(path)
      return blob === undefined ? Promise.reject(new Error(`The folder lacks ${path}.`)) : Promise.resolve(blob)
    },
  }
}

/** Ascending; those without rows are left out. */
export function hoursOf({ files }: Manifest): RecordedHour[] {
  const byHour = new Map<number, { rows: number; bytes: number }>()
  for (const file of files.filter((each) => !isThinned(each)))
    for (const [hour, rows] of hourRowsOf(file)) {
      const known = byHour.get(hour)
      const bytes = Math.round((file.bytes * rows) / file.rows)
      byHour.set(hour, { rows: (known?.rows ?? 0) + rows, bytes: (known?.bytes ?? 0) + bytes })
    }
  return [...byHour]
    .toSorted(([a], [b]) => a - b)
    .map(([hour, { rows, bytes }]) => ({
      startTicks: hour as Ticks,
      endTicks: (hour + HOUR_TICKS) as Ticks,
      rows,
      bytes,
    }))
}

/** From when on a recording is opened at first. */
export function newestRange(manifest: Manifest): TimeRange {
  let rows = 0
  let startTicks = ALL_TIMES.endTicks
  for (const hour of hoursOf(manifest).toReversed()) {
    rows += hour.rows
    if (rows > MOST_ROWS && startTicks !== ALL_TIMES.endTicks) return { startTicks, endTicks: ALL_TIMES.endTicks }
    startTicks = hour.startTicks
  }
  return ALL_TIMES
}

type Opener = Pick<CaptureClient, 'openFiles' | 'getState'>

/** Opens what lies in the range and is not open yet, as a package, and lists the recording. */
export async function openRecording(
  capture: Opener,
  recording: Recording,
  range: TimeRange,
  params: Params,
): Promise<void> {
  let listed = list(recording)
  for (let lists = 1; ; lists++)
    try {
      const files = await filesIn(capture, listed, range)
      if (files.length > 0) capture.openFiles([asPackage(listed.name, files)], params)
      return
    } catch (error) {
      if (!(error instanceof FileGone) || listed.again === undefined || lists === MOST_LISTS) throw error
      listed = list(await listed.again(), listed)
    }
}

/** Reads the list of a recording that is served once more: a recorder may have added hours. Errors: those of `again`. */
export async function readAgain(recording: Recording): Promise<void> {
  if (recording.again !== undefined) list(await recording.again(), recording)
}

/** Moment up to which files have what was recorded; null: there is none. What came since lies in journals. */
export const filesReachTo = ({ files }: Pick<Manifest, 'files'>): Ticks | null =>
  files.length === 0 ? null : (files.reduce((latest, { maxTicks }) => Math.max(latest, maxTicks), 0) as Ticks)

async function filesIn(
  capture: Opener,
  { name, manifest, journals, read }: Recording,
  range: TimeRange,
): Promise<PackedFile[]> {
  const open = openPaths(capture, name)
  const isIn = (file: ArchiveFile): boolean =>
    file.minTicks < range.endTicks && file.maxTicks >= range.startTicks && !isThinned(file) && !open.has(file.path)
  const paths = manifest.files.filter(isIn).map(({ path }) => path)
  if (range.endTicks > (filesReachTo(manifest) ?? Number.NEGATIVE_INFINITY)) paths.push(...journals)
  return Promise.all(paths.map(async (path) => ({ path, blob: await read(path) })))
}

/** Adds it to those that are known, or puts it in the place of one; another one with the name of one that is known gets a name of its own. */
function list(recording: Recording, before?: Recording): Recording {
  const same = before ?? known.find((other) => other === recording || isNewer(recording, other))
  const names = new Set(known.map(({ name }) => name))
  let { name } = recording
  if (same === undefined) for (let n = 2; names.has(name); n++) name = `${recording.name} ${String(n)}`
  const listed = same === recording ? recording : { ...recording, name: same?.name ?? name }
  if (same !== recording) known = [...known.filter((other) => other !== same), listed]
  for (const listener of listeners) listener()
  return listed
}

/** The same recording, opened once more: it was begun with the same files, as far as retention has left them. */
const isNewer = (recording: Recording, other: Recording): boolean => {
  const paths = new Set(other.manifest.files.map(({ path }) => path))
  const isSameServers =
    other.manifest.nodes.map(({ url }) => url).join(' ') === recording.manifest.nodes.map(({ url }) => url).join(' ')
  return (
    recording.name === other.name &&
    isSameServers &&
    (paths.size === 0 || recording.manifest.files.some(({ path }) => paths.has(path)))
  )
}

/** Paths of a recording that this page has read or reads. Journals grow, and are read again. */
function openPaths(capture: Opener, name: string): ReadonlySet<string> {
  const isOf = (source: string): boolean => source.startsWith(`file:${name}/`)
  const files = capture.getState().files.filter(({ sources, phase }) => sources.some(isOf) && phase !== 'cancelled')
  return new Set(files.flatMap(({ entries }) => entries.map(({ path }) => path)))
}
