import { formatPlural } from '../../base/text/format.ts'
import { ALL_TIMES, type Ticks, type TimeRange } from '../../base/ticks.ts'
import type { CaptureClient } from '../client/client.ts'
import { asPackage, type PackedFile } from './as-package.ts'
import {
  type ArchiveFile,
  HOUR_TICKS,
  hourOf,
  hourPathOf,
  hourRowsOf,
  isShown,
  journalOf,
  type Manifest,
  MANIFEST_FILE,
  readManifest,
  type TableName,
} from './manifest.ts'
import { expectedPart, type ExpectedPart, PARTS_FILE, partsList } from './lost-files.ts'
import { continueList, handOver, openedLately, type Opener, openOf } from './open-parts.ts'
import { type ByteRange, joinParts, type Part, readPart, unitsOf } from './parts.ts'

/** An archive that can be opened as a whole or in ranges. */
export interface Recording {
  readonly name: string
  readonly manifest: Manifest
  /** Paths of journals, with the data that is not in files yet; they have no range of their own. */
  readonly journals: readonly string[]
  /** Servers of which the folder has files, and the manifest has none. */
  readonly unlisted?: readonly string[]
  /** The hours in the manifest include the rows of journals. */
  readonly countsJournals?: true
  /**
   * Reads a file, or a range of bytes of one with `size` bytes in total. Errors: `FileGone` if it was replaced or removed
   * for its age.
   */
  readonly read: (path: string, bytes?: ByteRange, size?: number) => Promise<Blob>
  /** Reads the list of files again; left out if it cannot change. */
  readonly again?: () => Promise<Recording>
}

/** A listed file no longer exists, because the recorder has merged files. */
export class FileGone extends Error {
  override readonly name = 'FileGone'
}

/** A listed file is missing from a chosen folder. */
class FileMissing extends Error {
  override readonly name = 'FileMissing'
}

/** Maximum number of times a list is read for one range, while a recorder changes its files. */
const MOST_LISTS = 4

/** An hour in the files of a recording. The bytes of a file with several hours are divided in proportion to rows. */
export interface RecordedHour extends TimeRange {
  readonly rows: number
  readonly bytes: number
}

/** Rows above which a recording opens with its newest hours; others follow when they come into view. */
export const FIRST_ROWS = 100_000
const FIRST_BYTES = 700_000
/** Rows above which a range is not opened automatically. */
export const MOST_ROWS = 3_000_000
/** Rows of a recording in the page above which no more are opened automatically. */
const MOST_OPEN_ROWS = 12_000_000
type Params = Parameters<CaptureClient['openFiles']>[1]

let known: readonly Recording[] = []
let unopened = ''
const listeners = new Set<() => void>()

/** Recordings that this page has opened, for `useSyncExternalStore`. */
export const recordings = {
  get: (): readonly Recording[] => known,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Why what was opened of a recording is not all that its folder should have, or has; null: it is. */
  lackOf: (name: string): string | null => {
    const recording = known.find((each) => each.name === name)
    const lack = recording === undefined ? [] : [...(lacking.get(recording) ?? [])]
    const words = [wordsOfLack(lack), wordsOfUnlisted(recording?.unlisted ?? [])].filter((text) => text !== null)
    return words.length === 0 ? null : words.join(' ')
  },
  /** Why the recording that was served with this page is not open; empty: it is, or there is none. */
  unopened: (): string => unopened,
  setUnopened: (why: string): void => {
    unopened = why
    for (const listener of listeners) listener()
  },
}

/** Recording in a folder; null: none. Paths are relative. Errors: `Error` for an unreadable manifest. */
export async function recordingIn(name: string, files: readonly PackedFile[]): Promise<Recording | null> {
  const byPath = new Map(files.map(({ path, blob }) => [path, blob]))
  const manifest = byPath.get(MANIFEST_FILE)
  if (manifest === undefined) return null
  const listed = readManifest(await manifest.text())
  const servers = new Set([...listed.nodes.map((node) => node.name), ...listed.files.map(({ node }) => node)])
  const nodes = [...byPath.keys()].flatMap((path) => /\/node=([^/]+)\/day=[^/]+\/[^/]+\.parquet$/.exec(path)?.[1] ?? [])
  return {
    name,
    manifest: listed,
    unlisted: [...new Set(nodes)].filter((node) => !servers.has(node)),
    journals: [...byPath.keys()].filter((path) => journalOf(path) !== null),
    read: (path, bytes) => {
      const blob = byPath.get(path)
      if (blob === undefined) return Promise.reject(new FileMissing(path))
      return Promise.resolve(bytes === undefined ? blob : blob.slice(bytes.start, bytes.end))
    },
  }
}

const wordsOfUnlisted = (nodes: readonly string[]): string | null =>
  nodes.length === 0
    ? null
    : `The folder has files of ${nodes.join(', ')} that ${MANIFEST_FILE} does not list: they are not opened.`

/** Hours with rows, ascending. */
export function hoursOf({ files }: Pick<Manifest, 'files'>): RecordedHour[] {
  const byHour = new Map<number, { rows: number; bytes: number }>()
  for (const file of files.filter(isShown))
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

/** Range of a recording that is opened at first: all if it is small, else its newest hours, or its newest one. */
export function newestRange(manifest: Manifest): TimeRange {
  const units = manifest.files.filter(isShown).flatMap(unitsOf)
  const counted = new Set<Part>()
  let rows = 0
  let bytes = 0
  let startTicks = ALL_TIMES.endTicks
  for (const hour of hoursOf(manifest).toReversed()) {
    for (const unit of units) {
      // A unit with several hours is read as a whole.
      if (!isIn(unit, hour) || counted.has(unit)) continue
      counted.add(unit)
      rows += unit.rows
      bytes += unit.bytes
    }
    const isMuch = rows > FIRST_ROWS || bytes > FIRST_BYTES
    if (isMuch && startTicks !== ALL_TIMES.endTicks) return { startTicks, endTicks: ALL_TIMES.endTicks }
    startTicks = hour.startTicks
  }
  return ALL_TIMES
}

const opening = new WeakMap<Opener, Promise<Opened>>()

interface Opened {
  /** Why not all was opened: a folder lacks a listed file; null: all was. */
  readonly missing: string | null
}

/**
 * Opens, as a package, the files in the range that are not open, and lists the recording. One opening after the other,
 * so that no file is read twice. Errors: those of `read`.
 */
export function openRecording(
  capture: Opener,
  recording: Recording,
  range: TimeRange,
  params: Params,
): Promise<Opened> {
  const open = (): Promise<Opened> => openNow(capture, recording, range, params)
  // Failures are reported to the caller of that opening.
  const opened = opening.get(capture)?.then(open, open) ?? open()
  opening.set(capture, opened)
  return opened
}

async function openNow(capture: Opener, recording: Recording, range: TimeRange, params: Params): Promise<Opened> {
  let listed = list(recording)
  for (let lists = 1; ; lists++)
    try {
      const isLast = listed.again === undefined || lists === MOST_LISTS
      const { parts, absent, files, missing } = await filesIn(capture, listed, range, isLast)
      if (files.length > 0) {
        handOver(capture, listed, parts, absent)
        capture.openFiles([asPackage(listed.name, files)], params)
      }
      lack(listed, missing, files)
      return { missing: wordsOfLack(missing) }
    } catch (error) {
      if (!(error instanceof FileGone) || listed.again === undefined || lists === MOST_LISTS) throw error
      listed = list(await listed.again(), listed)
    }
}

/** Paths of files that a list turned out to lack. */
const lacking = new WeakMap<Recording, ReadonlySet<string>>()

/** Notes which files are missing, and that others are not, among those which were read now. */
function lack(listed: Recording, missing: readonly string[], read: readonly PackedFile[]): void {
  const before = lacking.get(listed) ?? new Set()
  if (missing.length === 0 && before.size === 0) return
  const now = new Set(read.map(({ path }) => path))
  lacking.set(listed, new Set([...[...before].filter((path) => !now.has(path)), ...missing]))
  for (const listener of listeners) listener()
}

/** Says which listed files are missing; null: none. */
function wordsOfLack([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null
  return `The folder lacks ${first}${others.length === 0 ? '' : `, and ${formatPlural(others.length, 'more file')} of its list`}.`
}

/** Reads the list of a served recording again, since a recorder may have added hours. Errors: those of `again`. */
export async function readListAgain(recording: Recording): Promise<void> {
  if (recording.again !== undefined) list(await recording.again(), recording)
}

/** Time up to which files have the data; null: none. Newer data is in journals. */
export const filesReachTo = ({ files }: Pick<Manifest, 'files'>): Ticks | null =>
  files.length === 0 ? null : (files.reduce((latest, { maxTicks }) => Math.max(latest, maxTicks), 0) as Ticks)

/** Part of a range that the files of a recording cover, and how much of it is not open. */
export interface OpenShare {
  readonly hours: number
  readonly closedHours: number
  readonly closedRows: number
  /** Whether the rest may be opened automatically. */
  readonly mayFollow: boolean
}

/**
 * Counts what is not open in a range. Files that are being read count as open, and so does an hour that has grown since
 * it was opened recently, unless the range begins after its opened part. A file with several hours counts by its hours
 * in the range.
 */
export function openShareOf(capture: Opener, recording: Recording, range: TimeRange): OpenShare {
  const isOpenPart = openOf(capture, recording)
  const lately = openedLately(capture, recording)
  const hours = new Set<number>()
  const closed = new Set<number>()
  let closedRows = 0
  let openRows = 0
  for (const file of recording.manifest.files) {
    const grown = lately.get(hourPathOf(file.path) ?? '')
    const isLately = grown !== undefined && grown >= range.startTicks
    const units = unitsOf(file)
    const closedUnits = isLately ? [] : units.filter((unit) => !isOpenPart(unit))
    openRows += units.reduce((sum, { rows }) => sum + rows, 0) - closedUnits.reduce((sum, { rows }) => sum + rows, 0)
    if (!isShown(file)) continue
    const inSight = closedUnits.filter((unit) => isIn(unit, range))
    for (const [hour, rows] of hourRowsOf(file))
      if (isIn(file, range) && hour < range.endTicks && hour + HOUR_TICKS > range.startTicks) {
        hours.add(hour)
        if (!inSight.some((unit) => hourOf(unit.minTicks) <= hour && hour <= unit.maxTicks)) continue
        closed.add(hour)
        if (file.groups === undefined) closedRows += rows
      }
    if (file.groups !== undefined) closedRows += inSight.reduce((sum, { rows }) => sum + rows, 0)
  }
  const mayFollow = closedRows <= MOST_ROWS && openRows + closedRows <= MOST_OPEN_ROWS
  return { hours: hours.size, closedHours: closed.size, closedRows, mayFollow }
}

/** Tables in reading order: those of the first picture come before those that take longest. */
const READ_FIRST: readonly TableName[] = ['gaps', 'findings', 'io', 'io-rollups']
const placeOf = ({ table }: ArchiveFile): number =>
  READ_FIRST.includes(table) ? READ_FIRST.indexOf(table) : READ_FIRST.length + Number(table === 'batches')

/** Whether a file, or a part of one, can have rows within a range. */
const isIn = ({ minTicks, maxTicks }: Pick<Part, 'minTicks' | 'maxTicks'>, range: TimeRange): boolean =>
  minTicks < range.endTicks && maxTicks >= range.startTicks

/**
 * Parts of files and journals that lie in a range and are not open yet. `missing`: paths of files that are not there,
 * which have no bytes; `absent`: their parts. `isLast`: the list will not be read again, so that a file that is gone is missing.
 */
async function filesIn(
  capture: Opener,
  recording: Recording,
  range: TimeRange,
  isLast: boolean,
): Promise<{
  readonly parts: readonly Part[]
  readonly absent: ReadonlySet<Part>
  readonly files: readonly PackedFile[]
  readonly missing: readonly string[]
}> {
  const { manifest, journals, read } = recording
  const isOpen = openOf(capture, recording)
  const parts = manifest.files
    .filter((file) => isIn(file, range) && isShown(file))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .flatMap((file) => joinParts(unitsOf(file).filter((unit) => isIn(unit, range) && !isOpen(unit))))
  const isAtEnd = range.endTicks > (filesReachTo(manifest) ?? Number.NEGATIVE_INFINITY)
  const absent = new Set<Part>()
  const missing = new Set<string>()
  /** Reads a file, or notes that it is missing. */
  const readOr = async (path: string, file: string, reading: Promise<Blob>, part?: Part): Promise<PackedFile> => {
    try {
      return { path, blob: await reading }
    } catch (error) {
      if (!(error instanceof FileMissing) && !(isLast && error instanceof FileGone)) throw error
      missing.add(file)
      if (part !== undefined) absent.add(part)
      return { path, blob: new Blob() }
    }
  }
  const files = await Promise.all([
    ...parts.map((part) => readOr(part.path, part.file.path, readPart(part, read), part)),
    ...(isAtEnd ? journals : []).map((path) => readOr(path, path, read(path))),
  ])
  const expected = [
    ...parts.map((part) => expectedPart(part, absent.has(part))),
    ...(isAtEnd ? journals : []).map((path) => expectedJournal(manifest, path, missing.has(path))),
  ]
  const list = expected.length === 0 ? [] : [{ path: PARTS_FILE, blob: partsList(expected) }]
  return { parts, absent, files: [...list, ...files], missing: [...missing] }
}

/** Journal, with the end of the files before it. */
function expectedJournal({ files }: Manifest, path: string, isMissing: boolean): ExpectedPart {
  const own = files.filter(({ node }) => node === journalOf(path)?.node)
  const endTicks = own.reduce((latest, { maxTicks }) => Math.max(latest, maxTicks), 0) as Ticks
  return { path, time: own.length === 0 ? null : { startTicks: endTicks, endTicks }, bytes: null, isMissing }
}

/** Recordings that were replaced by a newer list. */
const replaced = new WeakSet<Recording>()

/** Adds a recording, or replaces an earlier list of it. Another recording of the same name gets another name. */
function list(recording: Recording, before?: Recording): Recording {
  const same = known.find((other) =>
    before === undefined ? other === recording || isNewer(recording, other) : other.name === before.name,
  )
  if (same !== undefined && same !== before && isOlder(recording, same)) return same
  const names = new Set(known.map(({ name }) => name))
  let { name } = recording
  if (same === undefined) for (let n = 2; names.has(name); n++) name = `${recording.name} ${String(n)}`
  const listed = same === recording ? recording : { ...recording, name: same?.name ?? name }
  if (same !== recording) known = [...known.filter((other) => other !== same), listed]
  if (same !== undefined && same !== recording) replaced.add(same)
  continueList(listed, before ?? recording)
  if (before !== undefined) lacking.set(listed, lackOf(listed, lacking.get(same ?? before) ?? new Set()))
  for (const listener of listeners) listener()
  return listed
}

/** Paths of a list among those that an earlier one lacked. */
function lackOf({ manifest, journals }: Recording, before: ReadonlySet<string>): ReadonlySet<string> {
  const paths = new Set([...manifest.files.map(({ path }) => path), ...journals])
  return new Set([...before].filter((path) => paths.has(path)))
}

/** Whether a list is an earlier one of the same recording: lists can arrive in another order. */
const isOlder = (recording: Recording, same: Recording): boolean => {
  const reach = filesReachTo(recording.manifest)
  return replaced.has(recording) || (reach !== null && reach < (filesReachTo(same.manifest) ?? 0))
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
