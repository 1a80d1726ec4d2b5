import { errorText } from '../../base/text/error-text.ts'
import type { RawSource } from '../reading/files.ts'
import { blobStream } from '../reading/blob-stream.ts'
import { Refusal } from '../reading/refusal.ts'
import type { ErrorInfo } from '../client/state.ts'
import { Pace } from '../worker/turns.ts'
import { decode, findPath, readChildren, unquote, valueEnd } from './children.ts'
import type { Reading } from './children.ts'
import type { RawChildren, RawHit, RawRequests, RawRow, RawSearchStatus, RawStatus, RawStep } from './queries.ts'
import { MAX_VALUE_BYTES } from './queries.ts'
import { PIECE_BYTES, RawBytes } from './raw-bytes.ts'
import { RowIndex } from './rows.ts'
import { Search } from './search.ts'
import type { Container } from './structure.ts'
import { StructureScan } from './structure.ts'

/** Bytes that a search reads at once. */
const SEARCH_BYTES = 2 << 20
/** Maximum number of rows or children in a response. */
const MAX_RESPONSE = 1000
/** Number of kept scans of small or deep objects and lists: a user who opens one scrolls within it. */
const MAX_SCANS = 64

/**
 * A document in the viewer: rows, children and hits for any size of file, from offsets alone. One pass over its bytes
 * builds the index; what the pass has not reached is unknown.
 */
export class RawDocument {
  readonly #source: () => Promise<RawSource>
  readonly #abort = new AbortController()
  readonly #rows = new RowIndex()
  readonly #structure = new StructureScan()
  readonly #scans = new Map<number, Container>()
  #bytes = new RawBytes()
  #totalBytes: number | null = null
  #readBytes = 0
  #isWhole = false
  #error: ErrorInfo | null = null
  #search: { readonly search: Search; readonly abort: AbortController } | null = null

  constructor(source: () => Promise<RawSource>) {
    this.#source = source
    void this.#read()
  }

  stop(): void {
    if (!this.#isWhole) this.#abort.abort()
    this.#search?.abort.abort()
  }

  endSearch(): void {
    this.#search?.abort.abort()
    this.#search = null
  }

  /** Bytes in memory, without the few cached pieces. */
  get byteLength(): number {
    return this.#rows.byteLength + this.#structure.byteLength
  }

  status(): RawStatus {
    return {
      totalBytes: this.#totalBytes,
      readBytes: this.#readBytes,
      rows: this.#rows.count,
      isWhole: this.#isWhole,
      isStopped: this.#abort.signal.aborted && !this.#isWhole,
      error: this.#error,
      roots: this.#structure.root.count,
      notJson: this.#structure.notJson,
    }
  }

  async rows(params: RawRequests['raw.rows']['params']): Promise<RawRow[]> {
    const spans = await this.#rows.rows(this.#bytes, params.first, Math.min(params.count, MAX_RESPONSE))
    const [first] = spans
    const last = spans.at(-1)
    if (first === undefined || last === undefined) return []
    const bytes = await this.#bytes.read(first.at, last.end)
    const search = params.find === '' ? null : this.#searchFor(params.find)
    const hits = search === null ? [] : await search.hitsIn(this.#bytes, first.at, last.end)
    const length = search?.matcher.length ?? 0
    let next = 0
    return spans.map(({ at, end }) => {
      while (next < hits.length && (hits[next] as number) + length <= at) next++
      const row = bytes.subarray(at - first.at, end - first.at)
      const textEnd = at + textLength(row)
      const cuts: number[] = []
      for (let i = next; i < hits.length && (hits[i] as number) < textEnd; i++)
        cuts.push(Math.max(at, hits[i] as number), Math.min(textEnd, (hits[i] as number) + length))
      const edges = [at, ...cuts, textEnd]
      const parts = edges.slice(1).map((edge, i) => decode(row.subarray((edges[i] as number) - at, edge - at)))
      return { at, parts, isCut: row.at(-1) !== 0x0a && end < this.#bytes.size }
    })
  }

  rowOf(at: number): Promise<number> {
    return this.#rows.rowOf(this.#bytes, at)
  }

  async children(params: RawRequests['raw.children']['params'], signal: AbortSignal): Promise<RawChildren> {
    const parent = await this.#container(params.at, signal)
    const children = await readChildren(
      this.#reading(signal),
      parent,
      params.first,
      Math.min(params.count, MAX_RESPONSE),
    )
    const isWhole = parent.end !== null || this.#isWhole || this.#structure.notJson !== null
    return { children, count: parent.count, isWhole }
  }

  path(at: number, signal: AbortSignal): Promise<RawStep[]> {
    return findPath(this.#reading(signal), (each) => this.#container(each, signal), at)
  }

  async value(
    { at, maxBytes }: RawRequests['raw.value']['params'],
    signal: AbortSignal,
  ): Promise<RawRequests['raw.value']['response']> {
    const end = (await valueEnd(this.#reading(signal), at)) ?? this.#bytes.size
    const most = Math.min(maxBytes, MAX_VALUE_BYTES)
    const bytes = await this.#bytes.read(at, Math.min(end, at + most))
    const isCut = end - at > most
    const isText = bytes[0] === 0x22
    // A truncated text is closed at the cut, but not within an escape.
    const text = isText ? unquote(isCut ? closed(bytes) : bytes) : null
    return { written: decode(bytes), text, isCut }
  }

  search(find: string): RawSearchStatus {
    const { count, readBytes, isWhole } = this.#searchFor(find)
    return { count, readBytes, isWhole }
  }

  async hit({ find, number, from }: RawRequests['raw.hit']['params']): Promise<RawHit | null> {
    const search = this.#searchFor(find)
    const hit = number === null ? await search.hitFrom(this.#bytes, from) : await search.hit(this.#bytes, number)
    if (hit === null) return null
    return { ...hit, end: hit.at + search.matcher.length, row: await this.rowOf(hit.at) }
  }

  #reading(signal: AbortSignal): Reading {
    return {
      bytes: this.#bytes,
      find: (at) => this.#structure.find(at) ?? this.#scans.get(at) ?? null,
      signal,
    }
  }

  /** A known object or list, or one that is scanned now. */
  async #container(at: number, signal: AbortSignal): Promise<Container> {
    const known = this.#structure.find(at) ?? this.#scans.get(at) ?? null
    if (known !== null) return known
    const scan = new StructureScan(at, true)
    const pace = new Pace(signal)
    for (let from = at; !scan.isDone; from += PIECE_BYTES - (from % PIECE_BYTES)) {
      const piece = await this.#bytes.read(from, from + PIECE_BYTES - (from % PIECE_BYTES))
      if (piece.length === 0) break
      scan.feed(piece)
      await pace.step()
    }
    const found = scan.first ?? { at, isObject: false, end: at, count: 0, marks: null, markedAt: at }
    // A container whose end is not known is scanned again at the next request.
    if (scan.isDone || this.#isWhole) {
      this.#scans.set(at, found)
      for (const oldest of this.#scans.keys()) {
        if (this.#scans.size <= MAX_SCANS) break
        this.#scans.delete(oldest)
      }
    }
    return found
  }

  #searchFor(find: string): Search {
    if (this.#search?.search.find === find) return this.#search.search
    this.#search?.abort.abort()
    const search = new Search(find)
    const abort = new AbortController()
    this.#search = { search, abort }
    if (search.matcher.length > 0) void this.#runSearch(search, abort.signal)
    else search.isWhole = true
    return search
  }

  async #runSearch(search: Search, signal: AbortSignal): Promise<void> {
    const pace = new Pace(signal)
    // Never ahead of the rows, in which hits are shown. The next piece is read from the disk while one is searched.
    const fetch = (from: number): Promise<Uint8Array<ArrayBuffer>> => {
      const piece = this.#bytes.pass(from, Math.min(from + SEARCH_BYTES, this.#readBytes))
      // The search awaits it later and reports a failure; until then it must not count as unhandled.
      piece.catch(() => undefined)
      return piece
    }
    try {
      let next = fetch(0)
      while (search.readBytes < this.#readBytes || !this.#isEnded) {
        const piece = await next
        signal.throwIfAborted()
        next = fetch(search.readBytes + piece.length)
        if (piece.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
        else search.feed(piece)
        await pace.step()
      }
      search.isWhole = true
    } catch (error) {
      if (!signal.aborted) this.#error ??= errorOf(error)
    }
  }

  get #isEnded(): boolean {
    return this.#isWhole || this.#error !== null || this.#abort.signal.aborted
  }

  async #read(): Promise<void> {
    const { signal } = this.#abort
    try {
      const source = await this.#source()
      if (source.blob !== null) {
        this.#bytes = RawBytes.of(source.blob)
        this.#totalBytes = source.blob.size
      }
      const reader = (source.blob === null ? source.stream : blobStream(source.blob)).getReader()
      const pace = new Pace(signal)
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (signal.aborted || done) break
          if (source.blob === null) this.#bytes.append(value)
          this.#readBytes += value.length
          this.#rows.feed(value)
          this.#structure.feed(value)
          await pace.step()
        }
      } finally {
        // The error that ended the reading is reported below.
        reader.cancel().catch(() => undefined)
      }
      if (!signal.aborted) this.#isWhole = true
    } catch (error) {
      // Everything before the error can be viewed.
      if (!signal.aborted) this.#error = errorOf(error)
    }
    if (signal.aborted) return
    this.#rows.finish()
    this.#structure.finish()
    if (this.#isWhole) this.#totalBytes = this.#readBytes
  }
}

/** Length without the newline. */
function textLength(row: Uint8Array): number {
  if (row.at(-1) !== 0x0a) return row.length
  return row.at(-2) === 0x0d ? row.length - 2 : row.length - 1
}

/** A truncated text with a quote at its end, without half an escape. */
function closed(written: Uint8Array): Uint8Array {
  let end = written.length
  const escape = written.lastIndexOf(0x5c)
  let slashes = 1
  while (written[escape - slashes] === 0x5c) slashes++
  const needed = written[escape + 1] === 0x75 ? 6 : 2
  if (escape >= 0 && slashes % 2 === 1 && end - escape < needed) end = escape
  const text = new Uint8Array(end + 1)
  text.set(written.subarray(0, end))
  text[end] = 0x22
  return text
}

const errorOf = (error: unknown): ErrorInfo => ({
  endpoint: 'the file',
  status: null,
  message: errorText(error),
  serverMessage: null,
  // A refusal has its own advice.
  hint:
    error instanceof Refusal
      ? ''
      : 'What was read before can be looked at. If the file was moved or changed since it was opened, open it again.',
})
