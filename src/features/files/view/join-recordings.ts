import type { Bytes } from '../../../base/brand.ts'
import { hourPathOf } from '../../../capture/archive/manifest.ts'
import { isRecording } from '../../../capture/client/packages.ts'
import type { FileEntry, FileState, SourceId } from '../../../capture/client/state.ts'
import { isReading } from './progress.ts'

/** A file in the list. Hours of one recording, which are opened separately, are joined. */
export interface ListedFile {
  readonly file: FileState
  /** Its files, in the order in which they were opened. */
  readonly parts: readonly FileState[]
}

/** Suffix that the capture adds to a later file of the same name. */
const NUMBERED = / \(\d+\)$/

export function joinRecordings(files: readonly FileState[]): ListedFile[] {
  const byName = new Map<string, FileState[]>()
  for (const file of files) {
    const name = recordingOf(file)
    const known = byName.get(name)
    // An hour has no entries at first.
    const isHour = isRecording(file) || file.entries.length === 0
    if (known !== undefined && isHour && known.some(isRecording)) known.push(file)
    else byName.set(known === undefined && isRecording(file) ? name : file.name, [file])
  }
  return Array.from(byName.values(), (parts) => ({ file: joined(parts), parts }))
}

/** Name of an hour's recording. A folder's name may end in a number; sources are named by the folder. */
const recordingOf = ({ name, sources }: FileState): string =>
  sources.some((source) => source.startsWith(`file:${name}/`)) ? name : name.replace(NUMBERED, '')

/** File that contains an entry. */
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
    // Parts that were read before count with their reading time: progress is the bytes of all parts over the total
    // time.
    startedMs: reading === undefined ? first.startedMs : reading.startedMs - tookMs,
    totalBytes: sum(({ totalBytes }) => totalBytes) as Bytes,
    readBytes: sum(({ readBytes }) => readBytes) as Bytes,
    endedMs: reading === undefined ? first.startedMs + tookMs : null,
    message: [...new Set(parts.flatMap(({ message }) => (message === '' ? [] : [message])))].join(' '),
    sources: [...new Set(parts.flatMap<SourceId>(({ sources }) => sources))],
    entries: withoutReplaced(parts.flatMap(({ entries }) => entries)),
  }
}

/** Leaves out hours that were read again with more rows. */
function withoutReplaced(entries: readonly FileEntry[]): FileEntry[] {
  const last = new Map<string, number>()
  for (const [at, { path, phase }] of entries.entries()) {
    const hour = hourPathOf(path)
    if (hour !== null && phase === 'read') last.set(hour, at)
  }
  return entries.filter(({ path }, at) => at >= (last.get(hourPathOf(path) ?? '') ?? 0))
}
