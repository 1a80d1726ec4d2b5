import { errorText } from '../../base/text/error-text.ts'
import type { PackedFile } from '../../capture/archive/as-package.ts'
import { fleet, type FleetServer } from '../../capture/archive/fleet.ts'
import type { ByteRange } from '../../capture/archive/parts.ts'
import {
  FileGone,
  newestRange,
  openRecording,
  recordingIn,
  recordings,
  type Recording,
} from '../../capture/archive/recordings.ts'
import { journalOf, readManifest, type ArchiveHour } from '../../capture/archive/manifest.ts'
import type { CaptureClient } from '../../capture/client/client.ts'

type Params = Parameters<CaptureClient['openFiles']>[1]

type Capture = Pick<CaptureClient, 'openFiles' | 'getState'>

/** Opens dropped folders: a recording as a whole, other folders file by file. One that is refused stops no other. */
export async function openFolders(
  folders: readonly FileSystemDirectoryEntry[],
  files: readonly File[],
  capture: Capture,
  params: Params,
): Promise<{
  readonly hasRecording: boolean
  /** Why not everything was opened; null: it was. */
  readonly problem: string | null
}> {
  const others = [...files]
  const problems: string[] = []
  let hasRecording = false
  for (const folder of folders) {
    try {
      const found = await filesIn(folder, '')
      const recording = await recordingIn(folder.name, found)
      if (recording !== null) {
        hasRecording = true
        const { missing } = await openRecording(capture, recording, newestRange(recording.manifest), params)
        if (missing !== null) problems.push(missing)
      } else if (found.some(({ path }) => isArchivePath(`${folder.name}/${path}`)))
        problems.push(
          `${folder.name} has files of a recording, but not its manifest.json, which says which of them count: drop the folder that has it.`,
        )
      else others.push(...found.map(({ blob }) => blob))
    } catch (error) {
      problems.push(errorText(error))
    }
  }
  if (others.length > 0) capture.openFiles(others, params)
  return { hasRecording, problem: problems.length === 0 ? null : problems.join(' ') }
}

const isArchivePath = (path: string): boolean =>
  journalOf(path) !== null || /(?:^|\/)day=[\d-]+\/[^/]+\.parquet$/.test(path)

async function filesIn(folder: FileSystemDirectoryEntry, prefix: string): Promise<(PackedFile & { blob: File })[]> {
  const found: (PackedFile & { blob: File })[] = []
  const reader = folder.createReader()
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
    if (entries.length === 0) return found
    for (const entry of entries) {
      const path = `${prefix}${entry.name}`
      if (entry.isDirectory) found.push(...(await filesIn(entry as FileSystemDirectoryEntry, `${path}/`)))
      else {
        const blob = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))
        found.push({ path, blob })
      }
    }
  }
}

interface Served {
  readonly name: string
  readonly manifest: unknown
  readonly journals: readonly string[]
  /** Sums of the hours whose rows are only in journals. */
  readonly journalHours: readonly ArchiveHour[]
}

/** Opens the archive that `rookery open` serves with this page, or lists its servers. The page shows why it failed. */
export async function openServed(capture: Capture): Promise<void> {
  try {
    await openFound(capture)
    recordings.setUnopened('')
  } catch (error) {
    recordings.setUnopened(errorText(error))
  }
}

/** Errors: `Error` with `NOT_REACHED` if nothing answers. */
async function respond(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    throw error instanceof TypeError ? new Error(NOT_REACHED, { cause: error }) : error
  }
}

const NOT_REACHED = '“npx rookery open” does not answer: start it again, and reload this page.'

async function openFound(capture: Capture): Promise<void> {
  const found = (await json('/archive')) as Served | { readonly fleet: string }
  if ('fleet' in found) {
    const { fleet: name } = found
    fleet.set({
      name,
      servers: async ({ startTicks, endTicks }, signal) =>
        (await json(`/archive-servers?from=${String(startTicks)}&to=${String(endTicks)}`, signal)) as FleetServer[],
      recording: (node) => served(`/archive?node=${encodeURIComponent(node)}`),
    })
    return
  }
  const recording = recordingOf('/archive', found)
  await openRecording(capture, recording, newestRange(recording.manifest), null)
}

async function json(path: string, signal: AbortSignal | null = null): Promise<unknown> {
  const response = await respond(path, { signal })
  if (!response.ok) {
    const why = (await response.text()).trim().slice(0, MOST_WORDS)
    throw new Error(`The archive could not be read: ${why === '' ? `HTTP ${String(response.status)}` : why}`)
  }
  return response.json()
}

const MOST_WORDS = 500

const served = async (path: string): Promise<Recording> => recordingOf(path, (await json(path)) as Served)

function recordingOf(from: string, { name, manifest, journals, journalHours }: Served): Recording {
  const files = readManifest(JSON.stringify(manifest))
  return {
    name,
    manifest: { ...files, hours: [...(files.hours ?? []), ...journalHours] },
    journals,
    countsJournals: true,
    read: (path, bytes, size) => fetched(`/archive/${path.split('/').map(encodeURIComponent).join('/')}`, bytes, size),
    again: () => served(from),
  }
}

/** Errors: `FileGone`, `Error`. */
async function fetched(path: string, bytes: ByteRange | undefined, size: number | undefined): Promise<Blob> {
  const range = bytes && { range: `bytes=${String(bytes.start)}-${String(bytes.end - 1)}` }
  const file = await respond(path, range && { headers: range })
  const all = file.headers.get('content-range')?.split('/')[1]
  // A journal was turned into files, files were merged, or another file took the name.
  if (file.status === 404 || file.status === 416 || (all !== undefined && Number(all) !== size))
    throw new FileGone(`${path} is there no longer.`)
  if (!file.ok) throw new Error(`${path} could not be read: HTTP ${String(file.status)}.`)
  const blob = await file.blob()
  return file.status === 206 || bytes === undefined ? blob : blob.slice(bytes.start, bytes.end)
}
