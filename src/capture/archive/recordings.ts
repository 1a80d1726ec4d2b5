import { ALL_TIMES, type Ticks, type TimeRange, TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { CaptureClient } from '../client/client.ts'
import { asPackage, type PackedFile } from './as-package.ts'
import { type ArchiveFile, journalOf, type Manifest, MANIFEST_FILE, readManifest } from './manifest.ts'

/** An archive that can be opened, as a whole or a range of it. */
export interface Recording {
  readonly name: string
  readonly manifest: Manifest
  /** Paths of journals, with what arrived since files were last written; they have no range of their own. */
  readonly journals: readonly string[]
  readonly read: (path: string) => Promise<Blob>
}

/** An hour of a recording, as far as files have it. */
export interface RecordedHour extends TimeRange {
  readonly rows: number
  readonly bytes: number
}

/** A recording with more rows is not opened whole, but its newest hours. */
export const MOST_ROWS = 3_000_000
export const HOUR_TICKS = 3600 * TICKS_PER_SECOND

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
  for (const { minTicks, rows, bytes } of files) {
    const hour = Math.floor(minTicks / HOUR_TICKS)
    const known = byHour.get(hour)
    byHour.set(hour, { rows: (known?.rows ?? 0) + rows, bytes: (known?.bytes ?? 0) + bytes })
  }
  return [...byHour]
    .toSorted(([a], [b]) => a - b)
    .map(([hour, { rows, bytes }]) => ({
      startTicks: (hour * HOUR_TICKS) as Ticks,
      endTicks: ((hour + 1) * HOUR_TICKS) as Ticks,
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
  const listed = list(recording)
  const { name, manifest, journals, read } = listed
  const open = openPaths(capture, name)
  const isIn = ({ path, minTicks, maxTicks }: ArchiveFile): boolean =>
    minTicks < range.endTicks && maxTicks >= range.startTicks && !open.has(path)
  const paths = manifest.files.filter(isIn).map(({ path }) => path)
  const last = manifest.files.reduce((latest, { maxTicks }) => Math.max(latest, maxTicks), Number.NEGATIVE_INFINITY)
  if (range.endTicks > last) paths.push(...journals)
  if (paths.length === 0) return
  const files = await Promise.all(paths.map(async (path) => ({ path, blob: await read(path) })))
  capture.openFiles([asPackage(name, files)], params)
}

/** Adds it to those that are known; another one with the name of one that is known gets a name of its own. */
function list(recording: Recording): Recording {
  const same = known.find((other) => other === recording || isNewer(recording, other))
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
