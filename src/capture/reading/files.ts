import { errorText } from '../../base/text/error-text.ts'
import type { Bytes } from '../../base/brand.ts'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import type { Feed, FileReader } from '../worker/feed.ts'
import type { GapLog } from '../worker/gap-log.ts'
import type { EntryChange } from '../client/protocol.ts'
import type { FileEntry, FileState, SourceId, SourceRef } from '../client/state.ts'
import { sourceId } from '../client/state.ts'
import type { ExpectedPart, UnreadFile } from '../archive/lost-files.ts'
import { blobStream, readablePart } from './blob-stream.ts'
import type { DocumentReader } from './document.ts'
import { readDocument } from './document.ts'
import { EntryList } from './entry-list.ts'
import { LIMITS } from './limits.ts'
import { isSameFile } from './same-file.ts'
import type { Piece } from './packed.ts'
import { NestedArchive, Refusal, UnknownDocument } from './refusal.ts'
import { SNIFF_BYTES, sniffContainer } from './sniff.ts'
import { Pace, turn } from '../worker/turns.ts'
import { gunzipped } from './unpack.ts'
import { isNotGathered } from '../../ravendb/entry-names.ts'
import type { Listed } from './package-entries.ts'
import { utf16Of, utf8Bytes, utf8Stream } from './utf16.ts'
import type { PackedEntry, ZipBlock } from './zip-blocks.ts'

export interface FilesHost {
  readonly feeds: readonly Feed[]
  readonly gapLog: GapLog
  /** Called when tables have changed. */
  readonly changed: () => void
  /** Called when the first rows of a file are in tables and many more will come, so that a panel can be shown. */
  readonly begun: () => void
  /** Called at the end of a file, after the last change of tables and states. */
  readonly finished: () => void
  /** Called when only states have changed. */
  readonly touched: () => void
  readonly now: () => number
}

const nothing = (): void => undefined
/** Host of files that are only read. */
const UNWATCHED = {
  changed: nothing,
  begun: nothing,
  finished: nothing,
  touched: nothing,
  now: () => performance.now(),
}

/** Bytes of a document: stored plainly, or to be unpacked. */
export type RawSource =
  { readonly blob: Blob } | { readonly blob: null; readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> }

interface Job {
  readonly file: File
  /** State without its entries, see `entries`. */
  state: FileState
  readonly abort: AbortController
  listed: readonly Listed[]
  /** Entries of a package, not in `state.entries`: there may be 100,000, which change while they are read. */
  readonly entries: EntryList
  /** Files of a recording that could not be read. */
  readonly unread: UnreadFile[]
  /** Times of the rows of journals that were read. */
  readonly journals: Map<string, TimeRange>
  hasRows: boolean
}

/** Unpacked bytes of a document: in memory, or a stream. */
type DocumentBytes = ReadableStream<Piece> | Piece

/** Place of a document: the file itself (`entry` null), or an entry of a package. */
interface Place {
  readonly job: Job
  readonly source: SourceRef & { kind: 'file' }
  readonly entry: string | null
  /** Whether the document's bytes are those of the file. */
  readonly countsBytes: boolean
}

/** Maximum size of a file that is read at once: further calls would take longer than the reading. */
const SMALL_BYTES = 2 << 20
/** A file that is read within this time, ms, is drawn once, at its end. */
const DRAWN_ONCE_MS = 700
/** If less than this time is left, ms, the next picture is the last one. */
const DRAWN_AGAIN_MS = 500
/** Reading time, ms, before which the end is not estimated. */
const FORESEEN_AFTER_MS = 100

/** Loads code that not every file needs, so that it is there if the server is gone. */
export const loadUnpackers = (): Promise<unknown> =>
  Promise.all([packages(), import('./zip-blocks.ts'), import('./gunzip-members.ts')])

const packages = () => import('./package-entries.ts')

type Packages = Awaited<ReturnType<typeof packages>>

const CANCELLED = { phase: 'cancelled', message: 'Stopped; what was read so far is kept.' } as const

type ReadingFeed = Feed & FileReader

const hasRows = (feed: Feed, id: SourceId): boolean => (feed.spans?.() ?? []).some(({ source }) => source === id)

const readsFiles = (feed: Feed): feed is ReadingFeed => feed.recognises !== undefined

/** Opens files: a document, a gzip with one, or a package whose known entries become one capture. */
export class Files {
  readonly #host: FilesHost
  readonly #jobs = new Map<number, Job>()
  #nextId = 1
  #open = 0
  /** Paths of the files of recordings, by the name of the recording, that could not be read. */
  readonly #lost = new Map<string, ReadonlySet<string>>()
  /** Callbacks that wait until no file is being read. */
  #resting: (() => void)[] = []

  constructor(host: Pick<FilesHost, 'feeds' | 'gapLog'> & Partial<FilesHost>) {
    this.#host = { ...UNWATCHED, ...host }
  }

  /** States without entries, which `takeEntries` reports, since there may be very many. */
  get states(): FileState[] {
    return Array.from(this.#jobs.values(), ({ state }) => state)
  }

  /** Entries that are new or changed since the last call. */
  takeEntries(): EntryChange[] {
    return Array.from(this.#jobs, ([file, { entries }]) => ({ file, ...entries.take() })).filter(
      ({ entries }) => entries.length > 0,
    )
  }

  /** Start of the current uninterrupted reading, by `now`; meaningless while no file is read. */
  busySinceMs = 0

  /** Whether files are being read. */
  get isBusy(): boolean {
    return this.#open > 0
  }

  /** Whether, by their speed so far, all files end so soon that the next picture is their last. */
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

  /** Resolves when no file is being read; at once if none is. */
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
      servers: 0,
      entries: [],
    }
    const job: Job = {
      file,
      state,
      abort: new AbortController(),
      listed: [],
      entries: new EntryList(),
      unread: [],
      journals: new Map(),
      hasRows: false,
    }
    this.#jobs.set(id, job)
    void this.#run(job, file)
  }

  /** A free name, since two files with one name are two sources. */
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

  /** Bytes of an entry, or of the whole file (`path` null), for the viewer. */
  async source(id: number, path: string | null): Promise<RawSource> {
    const job = this.#jobs.get(id)
    const listed = job?.listed.find((each) => each.path === path)
    if (listed !== undefined) return this.#utf8(await (await packages()).openListed(listed))
    if (job === undefined || path !== null) throw new Refusal(`There is no ${path ?? 'such file'} here.`)
    const { file } = job
    const head = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer())
    if (sniffContainer(head) !== 'gzip') return this.#utf8(file)
    return this.#utf8(gunzipped(file, { name: file.name, mostBytes: null }))
  }

  /** Text in UTF-16 becomes a stream of UTF-8; other bytes are used in place. */
  async #utf8(bytes: Blob | ReadableStream<Piece>): Promise<RawSource> {
    if (!(bytes instanceof Blob)) return { blob: null, stream: utf8Stream(bytes) }
    const head = new Uint8Array(await bytes.slice(0, 4).arrayBuffer())
    return utf16Of(head) === null ? { blob: bytes } : { blob: null, stream: utf8Stream(blobStream(bytes)) }
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
      if (container === 'zip' || container === 'tar') await this.#readPackage(job, file, container)
      else if (container === 'gzip') await this.#readGzip(job, file)
      else if (container === 'UTF-16 text')
        await this.#readOne(job, isSmall ? utf8Bytes(head) : utf8Stream(blobStream(file)), false)
      else await this.#readOne(job, isSmall ? head : blobStream(file), true)
      if (job.state.phase === 'reading' || job.state.phase === 'listing') this.#set(job, { phase: 'read' })
    } catch (error) {
      const cancelled = job.abort.signal.aborted
      const message = errorText(error)
      this.#set(job, cancelled ? CANCELLED : { phase: 'refused', message })
    } finally {
      this.#open--
      this.#set(job, { endedMs: this.#host.now() })
      this.#host.finished()
      if (!this.isBusy) for (const resolve of this.#resting.splice(0)) resolve()
    }
  }

  /** The same file, if it was opened before; null: it was not. */
  async #sameAs(job: Job): Promise<Job | null> {
    for (const other of this.#jobs.values()) {
      if (other === job) return null
      const { phase } = other.state
      const isOpen = phase === 'read' || phase === 'reading' || phase === 'listing'
      if (isOpen && (await isSameFile(other.file, job.file))) return other
    }
    return null
  }

  /** Reads a gzip. Progress counts compressed bytes. A tar in it is unpacked completely, to be read entry by entry. */
  async #readGzip(job: Job, file: File): Promise<void> {
    const onPacked = (count: number): void => this.#count(job, count)
    const options = { name: file.name, mostBytes: null }
    try {
      await this.#readOne(job, utf8Stream(gunzipped(file, { ...options, onPacked })), false)
    } catch (error) {
      if (!(error instanceof NestedArchive) || error.container !== 'tar') throw error
      const mostBytes = LIMITS.nestedZipBytes
      job.state = { ...job.state, readBytes: 0 as Bytes }
      await this.#readPackage(job, await readablePart(gunzipped(file, { ...options, mostBytes })), 'tar')
    }
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

  async #readPackage(job: Job, archive: Blob, container: 'zip' | 'tar'): Promise<void> {
    this.#set(job, { phase: 'listing' })
    const entries = await packages()
    const listed = await entries.listPackage(archive, container)
    const { expectedParts, PARTS_FILE } = await import('../archive/lost-files.ts')
    const expected = await expectedParts(listed)
    job.listed = expected.size === 0 ? listed : listed.filter(({ path }) => path !== PARTS_FILE)
    job.entries.fill(job.listed.map(entries.listedEntry))
    const { readSavedPicture } = await import('../archive/saved-capture.ts')
    const saved = await readSavedPicture(job.listed)
    if (saved !== null) this.#set(job, { picture: saved.picture })
    const pace = new Pace(job.abort.signal)
    this.#set(job, { phase: 'reading', servers: await this.#takePackage(job, pace) })
    let broken = 0
    const { isSmall, ZipBlock, zipBlocks } = await import('./zip-blocks.ts')
    const packed = job.listed.filter((listed): listed is Listed & PackedEntry => listed.entry !== null)
    const whole = job.listed.filter(({ entry }) => entry === null)
    const filled = packed.filter(({ entry }) => entry.bytes > 0)
    for (const block of [...whole.map((each) => [each]), ...zipBlocks(filled)]) {
      job.abort.signal.throwIfAborted()
      const small = block.filter((each): each is Listed & PackedEntry => each.entry !== null && isSmall(each.entry))
      const read = small.length === block.length ? await ZipBlock.read(small) : null
      for (const listed of block) {
        broken += isArchivePath(listed.path)
          ? await this.#readArchiveEntry(entries, job, listed, expected.get(listed.path))
          : await this.#readEntry(entries, job, listed, read)
        this.#count(job, entries.packedBytes(listed))
        await pace.step()
      }
    }
    await this.#takeUnread(job, expected)
    const isCut = listed.some((each) => each.isCut)
    const outside = isCut ? 0 : await entries.bytesOutside(archive, container)
    const { servers } = job.state
    this.#set(job, { message: entries.packageWords(job.listed, job.entries, { broken, servers, outside }) })
    if (broken > 0 || isCut) this.#set(job, { phase: 'broken' })
    if (saved?.isWhole === false)
      this.#set(job, { phase: 'broken', message: 'The file is cut: what was saved last is missing.' })
  }

  /** Takes the responses of the package's servers before the long lists of events are read. */
  async #takePackage({ state, listed }: Job, pace: Pace): Promise<number> {
    const once = listed.filter(({ isRepeated }) => !isRepeated)
    const opened = { name: state.name, listed: once, step: () => pace.step() }
    let servers = 0
    for (const feed of this.#host.feeds) servers += (await feed.takePackage?.(opened)) ?? 0
    return servers
  }

  /** Returns 1 for a known entry that is broken. */
  async #readEntry(entries: Packages, job: Job, listed: Listed, block: ZipBlock | null): Promise<number> {
    const { entry, path } = listed
    const source: SourceRef & { kind: 'file' } = { kind: 'file', name: `${job.state.name}/${entries.folderOf(path)}` }
    if (listed.isRepeated) {
      const message = 'The package has an entry of this name before it: only that one is read.'
      this.#setEntry(job, path, { phase: 'refused', message })
      return 0
    }
    let atHand: Piece | null = null
    try {
      const unpacked = entry === null ? null : (block?.unpack(entry) ?? null)
      atHand = unpacked === null ? null : utf8Bytes(unpacked)
      const bytes = atHand ?? (await entries.openText(listed))
      if (isNotGathered(path)) {
        const message = await entries.firstLine(bytes)
        this.#setEntry(job, path, { phase: 'not-gathered', message: `The server could not gather it: ${message}` })
        return 0
      }
      const broken = await this.#read(bytes, { job, source, entry: path, countsBytes: false })
      this.#setEntry(job, path, { phase: broken.isBroken ? 'broken' : 'read', message: broken.message })
      return broken.isBroken ? 1 : 0
    } catch (error) {
      job.abort.signal.throwIfAborted()
      if (!(error instanceof UnknownDocument)) {
        const message = errorText(error)
        this.#setEntry(job, path, { phase: 'refused', message })
        return 0
      }
      // Not a known entry: listed, and readable as text.
      const isCut = atHand !== null && entries.isCutJson(path, atHand)
      const cut = { phase: 'broken', message: 'The entry ends in the middle of its JSON.' } as const
      this.#setEntry(job, path, isCut ? cut : { phase: 'listed' })
      return 0
    }
  }

  /** Reads a file of a recording, which has rows of many sources. Returns 1 if it is broken. */
  async #readArchiveEntry(
    entries: Packages,
    job: Job,
    listed: Listed,
    expected: ExpectedPart | undefined,
  ): Promise<number> {
    const { readArchiveEntry } = await import('../archive/read-archive.ts')
    const { wordsOfSize } = await import('../archive/lost-files.ts')
    const { path } = listed
    const wrongSize = wordsOfSize(entries.packedBytes(listed), expected)
    const pace = new Pace(job.abort.signal)
    try {
      if (expected?.isMissing === true) throw new Error(wrongSize ?? '')
      const read = await readArchiveEntry(path, await entries.openListed(listed), {
        ...this.#archiveTarget(job),
        readDocument: async (json, name) =>
          void (await this.#read(json, { job, source: { kind: 'file', name }, entry: null, countsBytes: false })),
        pause: () => {
          this.#host.changed()
          return pace.step()
        },
      })
      if (read === null) return 0
      const { time, rest, holes, feed, otherFeeds, newerRows } = read
      if (time !== null) job.journals.set(path, time)
      const phase = wrongSize === null ? read.phase : 'broken'
      const message = wrongSize === null ? read.message : `${read.message} ${wrongSize}`
      for (const hole of holes) job.unread.push({ path, message, isCut: false, hole })
      if (wrongSize !== null || rest !== null) job.unread.push({ path, message, isCut: rest === 'cut' })
      this.#setEntry(job, path, { feed, otherFeeds, phase, message, newerRows })
      return phase === 'broken' ? 1 : 0
    } catch (error) {
      job.abort.signal.throwIfAborted()
      const words = errorText(error)
      const message = wrongSize ?? (error instanceof DOMException ? `${MOVED} (${words})` : words)
      job.unread.push({ path, message, isCut: false })
      this.#setEntry(job, path, { phase: 'refused', message })
      return 0
    }
  }

  #archiveTarget(job: Job) {
    return {
      // Hours that are opened one after the other belong to the same sources.
      name: job.file.name,
      feeds: this.#host.feeds,
      gapLog: this.#host.gapLog,
      onSource: (id: SourceId): void => {
        if (!job.state.sources.includes(id)) this.#set(job, { sources: [...job.state.sources, id] })
      },
    }
  }

  /** Records gaps for what could not be read, when all sources are known, in place of those of an earlier reading. */
  async #takeUnread(job: Job, expected: ReadonlyMap<string, ExpectedPart>): Promise<void> {
    const { name } = job.file
    const before = this.#lost.get(name) ?? new Set()
    if (job.unread.length === 0 && before.size === 0) return
    const { takeLostFiles, takeReadAgain } = await import('../archive/read-archive.ts')
    const { lostFiles } = await import('../archive/lost-files.ts')
    const { covers } = await import('../archive/parts.ts')
    const target = this.#archiveTarget(job)
    const paths = job.listed.map(({ path }) => path).filter(isArchivePath)
    const again = new Set([...before].filter(covers(paths)))
    if (again.size > 0) await takeReadAgain(again, target)
    const lost = lostFiles(job.unread, { paths, expected, journals: job.journals })
    const known = this.states.flatMap(({ sources }) => sources)
    await takeLostFiles(lost, target, known)
    const others = [...(this.#lost.get(name) ?? [])].filter((path) => !again.has(path))
    this.#lost.set(name, new Set([...others, ...lost.map(({ path }) => path)]))
    this.#host.changed()
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
    const reader: { current: DocumentReader | null } = { current: null }
    const problem = (at: number, expected: string): void => {
      if (problems.count++ > 0) return
      problems.firstAt = at
      problems.first = at < 0 ? `expected ${expected}` : `byte ${at.toLocaleString('en-US')}: expected ${expected}`
    }
    const end = await readDocument(bytes, {
      choose: async (paths): Promise<DocumentReader | null> => {
        feed = this.#host.feeds.filter(readsFiles).find((each) => each.recognises(paths)) ?? null
        if (feed === null) return null
        await feed.prepare?.()
        this.#begin(place, id, feed)
        reader.current = feed.reader(id, this.#host.gapLog, problem, paths, (sentence) => notes.push(sentence))
        return reader.current
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
    if (end.foreignAt !== null)
      notes.push(
        `A second document of another kind begins at byte ${end.foreignAt.toLocaleString('en-US')} and was not read: open it as a file of its own.`,
      )
    const message = [...messages, ...notes].join(' ')
    const nothing = message === '' ? (reader.current?.describeEmpty?.() ?? '') : ''
    if (message !== '')
      this.#record(id, feed, message, end.broken === null && notes.length === 0 ? problems.count : null)
    const faultAt = end.broken?.at ?? (problems.firstAt < 0 ? (end.foreignAt ?? -1) : problems.firstAt)
    return { message: message || nothing, faultAt: faultAt < 0 ? null : faultAt, isBroken: end.broken !== null }
  }

  #begin({ job, entry }: Place, id: SourceId, feed: Feed): void {
    if (!job.state.sources.includes(id)) this.#set(job, { sources: [...job.state.sources, id] })
    if (entry !== null) this.#setEntry(job, entry, { feed: feed.name, phase: 'reading' })
  }

  /** Records a gap at the end of what could be read, since the rest is unknown. */
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

/** Says that the browser cannot read a file that a user has chosen. */
const MOVED = 'It was moved, removed or changed since it was chosen.'

/** Whether a path is that of a file in a recording, see docs/archive.md. */
const isArchivePath = (path: string): boolean => /\.(?:parquet|journal)$/.test(path)

/** Removes the full stop of a sentence that becomes part of another one. */
const withoutStop = (sentence: string): string => sentence.replace(/\.+$/, '')
