import type { Bytes } from '../../../base/brand.ts'
import { hourPathOf } from '../../../capture/archive/manifest.ts'
import { isRecording } from '../../../capture/client/packages.ts'
import type { FileEntry, FileState, SourceId } from '../../../capture/client/state.ts'
import { isReading } from './progress.ts'

/** A file as it is listed: hours of one recording, each opened by itself, are one. */
export interface ListedFile {
  readonly file: FileState
  /** Files that it is made of, in the order in which they were opened. */
  readonly parts: readonly FileState[]
}

/** Ending that the capture gives the name of a later file of the same name. */
const NUMBERED = / \(\d+\)$/

export function joinRecordings(files: readonly FileState[]): ListedFile[] {
  const byName = new Map<string, FileState[]>()
  for (const file of files) {
    const name = recordingOf(file)
    const known = byName.get(name)
    // An hour that is handed over has no entries at first.
    const isHour = isRecording(file) || file.entries.length === 0
    if (known !== undefined && isHour && known.some(isRecording)) known.push(file)
    else byName.set(known === undefined && isRecording(file) ? name : file.name, [file])
  }
  return Array.from(byName.values(), (parts) => ({ file: joined(parts), parts }))
}

/** Name of the recording that an hour is of. A folder may end in a number itself: sources are named by the folder. */
const recordingOf = ({ name, sources }: FileState): string =>
  sources.some((source) => source.startsWith(`file:${name}/`)) ? name : name.replace(NUMBERED, '')

/** File of which an entry is. */
export const partOf = ({ file, parts }: ListedFile, entry: FileEntry | null): FileState =>
  parts.find(({ entries }) => entry !== null && entries.includes(entry)) ?? file

function joined(parts: readonly FileState[]): FileState {
  const [first] = parts as readonly [FileState]
  if (parts.length === 1) return first
  const reading = parts.find(isReading)
  const odd = parts.find(({ phase }) => phase !== 'read')
  const sum = (of: (file: FileState) => number): number => parts.reduce((total, file) => total + of(file), 0)
  const tookMs = sum(({ startedMs, endedMs }) => (endedMs ?? startedMs) - startedMs)
  return {
    ...(reading ?? first),
    name: first.name,
    phase: (reading ?? odd ?? first).phase,
    // Parts that were read before count with the time that they took: progress is the bytes of all over the time since.
    startedMs: reading === undefined ? first.startedMs : reading.startedMs - tookMs,
    totalBytes: sum(({ totalBytes }) => totalBytes) as Bytes,
    readBytes: sum(({ readBytes }) => readBytes) as Bytes,
    endedMs: reading === undefined ? first.startedMs + tookMs : null,
    message: [...new Set(parts.flatMap(({ message }) => (message === '' ? [] : [message])))].join(' '),
    sources: [...new Set(parts.flatMap<SourceId>(({ sources }) => sources))],
    entries: withoutReplaced(parts.flatMap(({ entries }) => entries)),
  }
}

/** Leaves out hours that were read once more with the rows that came since. */
function withoutReplaced(entries: readonly FileEntry[]): FileEntry[] {
  const last = new Map<string, number>()
  for (const [at, { path, phase }] of entries.entries()) {
    const hour = hourPathOf(path)
    if (hour !== null && phase === 'read') last.set(hour, at)
  }
  return entries.filter(({ path }, at) => at >= (last.get(hourPathOf(path) ?? '') ?? 0))
}
