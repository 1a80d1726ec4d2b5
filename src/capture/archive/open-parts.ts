import type { Ticks } from '../../base/ticks.ts'
import type { CaptureClient } from '../client/client.ts'
import type { FileEntry, FileState } from '../client/state.ts'
import { type ArchiveFile, hourPathOf, type Manifest } from './manifest.ts'
import { type Part, unitPaths, unitsOf, wholeOf } from './parts.ts'

/** Time, ms, after which an hour that has grown is read again automatically; it is read as a whole. */
const GROWN_MS = 300_000

export type Opener = Pick<CaptureClient, 'openFiles' | 'getState'>

interface Opened {
  readonly name: string
  readonly manifest: Manifest
}

interface HandedOver {
  readonly parts: readonly Part[]
  /** Parts that the recording lacks. */
  readonly absent: readonly Part[]
  /** List from which they were opened, see `firstOf`. */
  readonly list: Opened
  readonly atMs: number
}

/** List of a recording that was chosen, by each list of it that was read again since. */
const firstLists = new WeakMap<Opened, Opened>()
const firstOf = (list: Opened): Opened => firstLists.get(list) ?? list

/** Notes that a list is another one read again: what it lacks is not looked for again. */
export function continueList(list: Opened, before: Opened): void {
  if (list !== before) firstLists.set(list, firstOf(before))
}

/** Packages of parts that were passed to a capture, by name, in the order in which the capture lists them. */
const handedOver = new WeakMap<Opener, Map<string, readonly HandedOver[]>>()

/** Notes that these parts of a recording are passed to the capture now, with those that are absent. */
export function handOver(capture: Opener, opened: Opened, all: readonly Part[], missing: ReadonlySet<Part>): void {
  const { name } = opened
  const byName = handedOver.get(capture) ?? new Map<string, readonly HandedOver[]>()
  handedOver.set(capture, byName)
  const [parts, absent] = [all.filter((part) => !missing.has(part)), all.filter((part) => missing.has(part))]
  byName.set(name, [...(byName.get(name) ?? []), { parts, absent, list: firstOf(opened), atMs: Date.now() }])
}

/** Suffix that the capture adds to the name of a later package with the same name. */
const NUMBERED = /^ \(\d+\)$/

/**
 * Paths of a recording, and of units of its files, that this page has read or is reading, unless the reading was
 * cancelled. Journals grow and are read again. What could not be read is open for the list from which it was opened:
 * a folder that is chosen again may have it.
 */
function openPaths(capture: Opener, opened: Opened): ReadonlySet<string> {
  const { name, manifest } = opened
  const { files } = capture.getState()
  const isOfIt = (source: string): boolean => source.startsWith(`file:${name}/`)
  const read = files.filter(({ sources, phase }) => sources.some(isOfIt) && phase !== 'cancelled')
  const phases = new Map(read.flatMap(({ entries }) => entries).map(({ path, phase }) => [path, phase]))
  const isRead = (path: string): boolean => !['refused', 'broken'].includes(phases.get(path) ?? '')
  // A package has no sources and entries at first.
  const handed = handedBy(capture, name)
  const own = handed.filter(({ list }) => list === firstOf(opened)).flatMap(({ parts, absent }) => parts.concat(absent))
  const parts = handed.flatMap((each) => each.parts)
  const paths = [...[...phases.keys(), ...parts.map(({ path }) => path)].filter(isRead), ...own.map(({ path }) => path)]
  return new Set([...paths.flatMap(unitPaths), ...mergedPaths(manifest, parts)])
}

/** Whether a part of a recording is open, or its whole file. */
export function openOf(capture: Opener, opened: Opened): (part: Part) => boolean {
  const open = openPaths(capture, opened)
  return ({ path, file }) => open.has(path) || open.has(file.path)
}

/** Whether a file that the capture has read, or reads, is a package of that recording. */
const isPackageOf = (recording: string, { name }: { readonly name: string }): boolean =>
  name === recording || (name.startsWith(recording) && NUMBERED.test(name.slice(recording.length)))

/** Files of a recording as they were read last, by path. */
export function entriesOf(recording: string, files: readonly FileState[]): ReadonlyMap<string, FileEntry> {
  const entries = files
    // A package of which no file could be read has no sources.
    .filter((file) => isPackageOf(recording, file) || file.sources.some((id) => id.startsWith(`file:${recording}/`)))
    .flatMap((file) => file.entries)
  return new Map(entries.map((entry) => [entry.path, entry]))
}

/** Packages that were passed on, unless their reading was cancelled. */
function handedBy(capture: Opener, name: string): HandedOver[] {
  const own = capture.getState().files.filter((file) => isPackageOf(name, file))
  return (handedOver.get(capture)?.get(name) ?? []).filter((_, at) => own[at]?.phase !== 'cancelled')
}

/** Ends of recently opened hours, by the common part of their paths. */
export function openedLately(capture: Opener, { name }: Opened): ReadonlyMap<string, Ticks> {
  const sinceMs = Date.now() - GROWN_MS
  const lately = handedBy(capture, name).filter(({ atMs }) => atMs > sinceMs)
  return new Map(
    lately.flatMap(({ parts }) =>
      parts.flatMap(({ path, maxTicks }): [string, Ticks][] => {
        const hour = hourPathOf(path)
        return hour === null ? [] : [[hour, maxTicks as Ticks]]
      }),
    ),
  )
}

/** Paths of merged files, and of their units, whose parts are all open. */
function mergedPaths({ files }: Manifest, handed: readonly Part[]): string[] {
  const listed = new Set(files.map(({ path }) => path))
  const keyOf = ({ table, node, day }: ArchiveFile): string => [table, node, day].join(' ')
  // A file that has grown was opened twice: the larger one counts.
  const gone = new Map<string, Map<number, Part>>()
  for (const part of handed) {
    if (listed.has(part.file.path)) continue
    const byStart = gone.get(keyOf(part.file)) ?? new Map<number, Part>()
    gone.set(keyOf(part.file), byStart)
    if (part.rows > (byStart.get(part.minTicks)?.rows ?? 0)) byStart.set(part.minTicks, part)
  }
  return files.flatMap((file) => {
    const all = [...(gone.get(keyOf(file))?.values() ?? [])]
    if (all.length === 0) return []
    const isMadeOf = (made: Part, least: number): boolean => {
      const parts = all.filter(({ minTicks, maxTicks }) => minTicks >= made.minTicks && maxTicks <= made.maxTicks)
      return parts.length >= least && parts.reduce((sum, { rows }) => sum + rows, 0) === made.rows
    }
    if (isMadeOf(wholeOf(file), 2)) return [file.path]
    return file.groups === undefined ? [] : unitsOf(file).flatMap((unit) => (isMadeOf(unit, 1) ? unit.path : []))
  })
}
