import type { Bytes } from '../../base/brand.ts'
import type { Ticks } from '../../base/ticks.ts'
import type { Feed, FileReader } from '../worker/feed.ts'
import type { GapLog } from '../worker/gap-log.ts'
import type { EntryChange } from '../client/protocol.ts'
import type { FileEntry, FileState, SourceId, SourceRef } from '../client/state.ts'
import { sourceId } from '../client/state.ts'
import { blobStream } from './blob-stream.ts'
import type { DocumentReader } from './document.ts'
import { readDocument } from './document.ts'
import { EntryList } from './entry-list.ts'
import { LIMITS } from './limits.ts'
import { isSameFile } from './same-file.ts'
import { Refusal, UnknownDocument } from './refusal.ts'
import { SNIFF_BYTES, sniffContainer } from './sniff.ts'
import { Pace, turn } from '../worker/turns.ts'
import { gunzipped } from './unpack.ts'
import type { ZipEntry } from './zip.ts'
import { listZip, openZipEntry, zipEntryBlob } from './zip.ts'
import type { ZipBlock } from './zip-blocks.ts'

/** An entry as it lies: which zip holds it (a nested one is taken out of its parent), and what the directory says. */
interface Listed {
  readonly blob: Blob
  readonly entry: ZipEntry
  readonly path: string
}

export interface FilesHost {
  readonly feeds: readonly Feed[]
  readonly gapLog: GapLog
  /** Tables changed. */
  readonly changed: () => void
  /** The first rows of a file are in tables, and many more come: a panel can be shown while they do. */
  readonly begun: () => void
  /** A file is over: tables and states changed for the last time. */
  readonly finished: () => void
  /** Only states changed. */
  readonly touched: () => void
  readonly now: () => number
}

const nothing = (): void => undefined
/** The host of files that are only read. */
const UNWATCHED = {
  changed: nothing,
  begun: nothing,
  finished: nothing,
  touched: nothing,
  now: () => performance.now(),
}

/** Bytes of a document: at hand as they are, or to be unpacked. */
export type RawSource =
  { readonly blob: Blob } | { readonly blob: null; readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> }

interface Job {
  readonly file: File
  /** Without its entries: see `entries`. */
  state: FileState
  readonly abort: AbortController
  listed: readonly Listed[]
  /** Of a package, in place of `state.entries`: there may be 100,000, and each of them changes while they are read. */
  readonly entries: EntryList
  hasRows: boolean
}

/** Bytes of a document, unpacked: all at hand, or to come. */
type DocumentBytes = ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>

/** Where in a file a document is: the file itself (`entry` null) or an entry of the package that it is. */
interface Place {
  readonly job: Job
  readonly source: SourceRef & { kind: 'file' }
  readonly entry: string | null
  /** The document's bytes are the file's own. */
  readonly countsBytes: boolean
}

/** Up to here a file is read at once: each further call of the browser's takes longer than reading so little. */
const SMALL_BYTES = 2 << 20
/** A file that is read within this time is drawn once, at its end: each picture before it takes time from reading, ms. */
const DRAWN_ONCE_MS = 700
/** When a file has no more than this left, its last picture is the next one, ms. */
const DRAWN_AGAIN_MS = 500
/** Reading has to last this long before its end is foreseen, ms. */
const FORESEEN_AFTER_MS = 100

/** Fetches what not every file needs, so that it is there when the server is gone. */
export const loadUnpackers = (): Promise<unknown> =>
  Promise.all([import('./zip-blocks.ts'), import('./gunzip-members.ts')])

const CANCELLED = { phase: 'cancelled', message: 'Stopped; what was read so far is kept.' } as const

type ReadingFeed = Feed & FileReader

const hasRows = (feed: Feed, id: SourceId): boolean =>
  (feed.spans?.() ?? feed.summary?.() ?? []).some(({ source, firstMs }) => source === id && firstMs !== null)

const readsFiles = (feed: Feed): feed is ReadingFeed => feed.recognises !== undefined

/** Opens files: one document, a gzip of one, or a package whose known entries all become one capture. */
export class Files {
  readonly #host: FilesHost
  readonly #jobs = new Map<number, Job>()
  #nextId = 1
  #open = 0
  /** Who waits until no file is being read. */
  #resting: (() => void)[] = []

  constructor(host: Pick<FilesHost, 'feeds' | 'gapLog'> & Partial<FilesHost>) {
    this.#host = { ...UNWATCHED, ...host }
  }

  /** Without entries: those are reported by `takeEntries`, since there may be very many. */
  get states(): FileState[] {
    return Array.from(this.#jobs.values(), ({ state }) => state)
  }

  /** Entries that are new or changed since the last call. */
  takeEntries(): EntryChange[] {
    return Array.from(this.#jobs, ([file, { entries }]) => ({ file, ...entries.take() })).filter(
      ({ entries }) => entries.length > 0,
    )
  }

  /** Since when files are being read without a pause, by `now`; means nothing while none is. */
  busySinceMs = 0

  /** Files are being read. */
  get isBusy(): boolean {
    return this.#open > 0
  }

  /** Every file that is being read is over so soon, by the time that it took so far, that the next picture is its last. */
  get isSoonOver(): boolean {
    return [...this.#jobs.values()].every(
      ({ state }) => state.endedMs !== null || this.#isShort(state) || this.#isNearEnd(state),
    )
  }

  #isNearEnd({ startedMs, readBytes, totalBytes }: FileState): boolean {
    const readingMs = this.#host.now() - startedMs
    return readingMs * (totalBytes - readBytes) <= DRAWN_AGAIN_MS * readBytes
  }

  #isShort({ startedMs, readBytes, totalBytes }: FileState): boolean {
    const readingMs = this.#host.now() - startedMs
    return readingMs < FORESEEN_AFTER_MS || readingMs * totalBytes <= DRAWN_ONCE_MS * readBytes
  }

  /** Resolves when no file is being read; at once if that is now. */
  rest(): Promise<void> {
    return this.isBusy ? new Promise((resolve) => this.#resting.push(resolve)) : Promise.resolve()
  }

  open(file: File): void {
    const id = this.#nextId++
    const state: FileState = {
      id,
      name: this.#freeName(file.name),
      phase: 'reading',
      totalBytes: file.size as Bytes,
      readBytes: 0 as Bytes,
      startedMs: this.#host.now(),
      endedMs: null,
      message: '',
      faultAt: null,
      sources: [],
      entries: [],
    }
    const job: Job = { file, state, abort: new AbortController(), listed: [], entries: new EntryList(), hasRows: false }
    this.#jobs.set(id, job)
    void this.#run(job, file)
  }

  /** Two files of one name are two sources. */
  #freeName(name: string): string {
    const taken = new Set(this.states.map((state) => state.name))
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`
    return free
  }

  cancel(id: number): void {
    const job = this.#jobs.get(id)
    if (job === undefined || job.state.endedMs !== null) return
    job.abort.abort(new Refusal('Stopped.'))
    this.#set(job, { ...CANCELLED, endedMs: this.#host.now() })
  }

  /** The bytes of an entry, or of the whole file (`path` null), for the viewer. */
  async source(id: number, path: string | null): Promise<RawSource> {
    const job = this.#jobs.get(id)
    const listed = job?.listed.find((each) => each.path === path)
    if (listed !== undefined)
      return listed.entry.method === 0
        ? { blob: await zipEntryBlob(listed.blob, listed.entry) }
        : { blob: null, stream: await openZipEntry(listed.blob, listed.entry) }
    if (job === undefined || path !== null) throw new Refusal(`There is no ${path ?? 'such file'} here.`)
    const { file } = job
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
    if (sniffContainer(head) !== 'gzip') return { blob: file }
    return { blob: null, stream: gunzipped(file, { name: file.name, mostBytes: null }) }
  }

  async #run(job: Job, file: File): Promise<void> {
    if (this.#open++ === 0) this.busySinceMs = this.#host.now()
    this.#host.touched()
    try {
      const same = await this.#sameAs(job)
      if (same !== null) {
        const message = `The same file is open already as “${same.state.name}”: its data is shown once.`
        this.#set(job, { phase: 'duplicate', name: file.name, message })
        return
      }
      const isSmall = file.size <= SMALL_BYTES
      const head = new Uint8Array(await file.slice(0, isSmall ? SMALL_BYTES : SNIFF_BYTES).arrayBuffer())
      const container = sniffContainer(head)
      if (container === 'zip') await this.#readPackage(job, file)
      else if (container === 'gzip') await this.#readGzip(job, file)
      else await this.#readOne(job, isSmall ? head : blobStream(file), true)
      if (job.state.phase === 'reading' || job.state.phase === 'listing') this.#set(job, { phase: 'read' })
    } catch (error) {
      const cancelled = job.abort.signal.aborted
      const message = error instanceof Error ? error.message : String(error)
      this.#set(job, cancelled ? CANCELLED : { phase: 'refused', message })
    } finally {
      this.#open--
      this.#set(job, { endedMs: this.#host.now() })
      this.#host.finished()
      if (!this.isBusy) for (const resolve of this.#resting.splice(0)) resolve()
    }
  }

  /** The same file, opened before and read or being read; null: there is none. */
  async #sameAs(job: Job): Promise<Job | null> {
    for (const other of this.#jobs.values()) {
      if (other === job) return null
      const { phase } = other.state
      const isOpen = phase === 'read' || phase === 'reading' || phase === 'listing'
      if (isOpen && (await isSameFile(other.file, job.file))) return other
    }
    return null
  }

  /** Of a gzip what goes in is counted, and not what comes out. */
  #readGzip(job: Job, file: File): Promise<void> {
    const onPacked = (count: number): void => this.#count(job, count)
    return this.#readOne(job, gunzipped(file, { name: file.name, mostBytes: null, onPacked }), false)
  }

  async #readOne(job: Job, bytes: DocumentBytes, countsBytes: boolean): Promise<void> {
    const broken = await this.#read(bytes, {
      job,
      source: { kind: 'file', name: job.state.name },
      entry: null,
      countsBytes,
    })
    const { message, faultAt, isBroken } = broken
    if (message !== '') this.#set(job, { phase: isBroken ? 'broken' : 'read', message, faultAt })
  }

  async #readPackage(job: Job, file: File): Promise<void> {
    this.#set(job, { phase: 'listing' })
    job.listed = await this.#list(file, '', 1)
    job.entries.fill(job.listed.map(({ path, entry }) => listedEntry(path, entry)))
    this.#set(job, { phase: 'reading' })
    let broken = 0
    const { isSmall, ZipBlock, zipBlocks } = await import('./zip-blocks.ts')
    const pace = new Pace(job.abort.signal)
    for (const block of zipBlocks(job.listed.filter(({ entry }) => entry.bytes > 0))) {
      job.abort.signal.throwIfAborted()
      const read = block.every(({ entry }) => isSmall(entry)) ? await ZipBlock.read(block) : null
      for (const listed of block) {
        broken += await this.#readEntry(job, listed, read)
        this.#count(job, listed.entry.compressedBytes)
        await pace.step()
      }
    }
    const known = job.entries.count(({ feed }) => feed !== null)
    const unreadable = job.entries.count(({ phase }) => phase === 'refused')
    const parts = [
      `${known} of ${job.listed.length} entries are data of panels${broken > 0 ? `, ${broken} of them broken` : ''}`,
      ...(unreadable > 0 ? [`${unreadable} cannot be read`] : []),
      ...(known + unreadable < job.listed.length ? ['the others can be read as text'] : []),
    ]
    this.#set(job, { message: `${parts.join('; ')}.` })
  }

  /** Entries of a zip and of the zips inside it. A nested one that is stored is read in place, a deflated one is taken out. */
  async #list(blob: Blob, prefix: string, depth: number): Promise<Listed[]> {
    const all: Listed[] = []
    for (const entry of await listZip(blob)) {
      if (entry.name.endsWith('/')) continue
      const path = `${prefix}${entry.name}`
      const nested = /\.zip$/i.test(entry.name) ? await this.#nested(blob, entry, depth) : null
      if (nested === null) all.push({ blob, entry, path })
      else all.push(...(await this.#list(nested, `${path}/`, depth + 1)))
    }
    return all
  }

  async #nested(blob: Blob, entry: ZipEntry, depth: number): Promise<Blob | null> {
    if (depth >= LIMITS.zipDepth || entry.bytes > LIMITS.nestedZipBytes) return null
    const inner = await new Response(await openZipEntry(blob, entry)).blob()
    const head = new Uint8Array(await inner.slice(0, 4).arrayBuffer())
    return sniffContainer(head) === 'zip' ? inner : null
  }

  /** 1: it is one of ours, but broken. */
  async #readEntry(job: Job, { blob, entry, path }: Listed, block: ZipBlock | null): Promise<number> {
    const source: SourceRef & { kind: 'file' } = { kind: 'file', name: `${job.state.name}/${folderOf(path)}` }
    try {
      const bytes = block?.unpack(entry) ?? (await openZipEntry(blob, entry))
      const broken = await this.#read(bytes, { job, source, entry: path, countsBytes: false })
      this.#setEntry(job, path, { phase: broken.isBroken ? 'broken' : 'read', message: broken.message })
      return broken.isBroken ? 1 : 0
    } catch (error) {
      job.abort.signal.throwIfAborted()
      // Not one of ours: listed, and readable as text. What cannot even be unpacked says why.
      const isListed = error instanceof UnknownDocument
      const message = error instanceof Error ? error.message : String(error)
      this.#setEntry(job, path, isListed ? { phase: 'listed' } : { phase: 'refused', message })
      return 0
    }
  }

  async #read(
    bytes: DocumentBytes,
    place: Place,
  ): Promise<{ message: string; faultAt: number | null; isBroken: boolean }> {
    const { job, source } = place
    const id = sourceId(source)
    const problems = { count: 0, first: '', firstAt: -1 }
    const notes: string[] = []
    let feed: ReadingFeed | null = null
    const problem = (at: number, expected: string): void => {
      if (problems.count++ > 0) return
      problems.firstAt = at
      problems.first = at < 0 ? `expected ${expected}` : `byte ${at.toLocaleString('en-US')}: expected ${expected}`
    }
    const end = await readDocument(bytes, {
      choose: (paths): DocumentReader | null => {
        feed = this.#host.feeds.filter(readsFiles).find((each) => each.recognises(paths)) ?? null
        if (feed === null) return null
        this.#begin(place, id, feed)
        return feed.reader(id, this.#host.gapLog, problem, paths, (sentence) => notes.push(sentence))
      },
      mismatch: problem,
      progress: ({ bytes }, isOver) => {
        if (place.countsBytes) job.state = { ...job.state, readBytes: bytes as Bytes }
        this.#host.changed()
        if (isOver || job.hasRows || feed === null || this.#isShort(job.state) || !hasRows(feed, id)) return
        job.hasRows = true
        this.#host.begun()
      },
      signal: job.abort.signal,
      turn,
      now: this.#host.now,
    })
    const messages: string[] = []
    if (end.broken !== null) messages.push(`The readable part ends at ${withoutStop(end.broken.message)}.`)
    if (problems.count > 0)
      messages.push(
        `${problems.count.toLocaleString('en-US')} ${problems.count === 1 ? 'value' : 'values'} could not be read and ${problems.count === 1 ? 'was' : 'were'} left out; the first: ${withoutStop(problems.first)}.`,
      )
    const message = [...messages, ...notes].join(' ')
    if (message !== '')
      this.#record(id, feed, message, end.broken === null && notes.length === 0 ? problems.count : null)
    const faultAt = end.broken?.at ?? problems.firstAt
    return { message, faultAt: faultAt < 0 ? null : faultAt, isBroken: end.broken !== null }
  }

  #begin({ job, entry }: Place, id: SourceId, feed: Feed): void {
    if (!job.state.sources.includes(id)) this.#set(job, { sources: [...job.state.sources, id] })
    if (entry !== null) this.#setEntry(job, entry, { feed: feed.name, phase: 'reading' })
  }

  /** The end of what could be read is a gap: what would have followed is not known. */
  #record(source: SourceId, feed: ReadingFeed | null, detail: string, missingCount: number | null): void {
    const endTicks = (feed?.extent?.()?.endTicks ?? 0) as Ticks
    this.#host.gapLog.add({
      source,
      lane: null,
      kind: null,
      reason: 'malformed',
      startTicks: endTicks,
      endTicks,
      missingCount,
      missingBytes: null,
      detail,
    })
  }

  #count(job: Job, bytes: number): void {
    job.state = { ...job.state, readBytes: (job.state.readBytes + bytes) as Bytes }
    this.#host.touched()
  }

  #set(job: Job, parts: Partial<FileState>): void {
    job.state = { ...job.state, ...parts }
    this.#host.touched()
  }

  #setEntry(job: Job, path: string, parts: Partial<FileEntry>): void {
    job.entries.change(path, parts)
    this.#host.touched()
  }
}

/** A sentence that goes into another one. */
const withoutStop = (sentence: string): string => sentence.replace(/\.+$/, '')

const listedEntry = (path: string, entry: ZipEntry): FileEntry => ({
  path,
  bytes: entry.bytes as Bytes,
  feed: null,
  phase: 'listed',
  message: '',
})

/** A debug package has a folder for each database, and `server-wide`; one of a single database has none. */
function folderOf(path: string): string {
  const parts = path.split('/')
  return parts.length > 1 ? parts.slice(0, -1).join('/') : 'database'
}
