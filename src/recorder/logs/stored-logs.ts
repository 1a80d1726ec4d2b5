import { msFromTicks, parseTicks, type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { withoutSecrets } from '../../base/text/secrets.ts'
import type { ArchiveRecord, LogMarkRecord, LogRecord } from '../../capture/archive/records.ts'
import { SERVER_LOG } from '../../capture/archive/tables.ts'
import { sourceId } from '../../capture/client/state.ts'
import { listZip, openZipEntry, type ZipEntry } from '../../capture/reading/zip.ts'

/** Levels as RavenDB 7.1 names them, the least first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Head of a file of 7.1. Earlier versions have no such levels. */
const HEAD = 'Date|Level|ThreadID|Resource|Component|Logger|Message|Data\n'
const HEAD_BYTES = 4096
/** `2026-11-27 16:43:39.7577|WARN|1|Server||Raven.Server.Program|…`, UTC; a message may have further lines. */
const LINE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{4})\|([A-Z]+)\|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|/gm
const MOST_TEXT = 8000
/** Lines of one reading; beyond these the newest are recorded, and the others are a gap. */
const MOST_LINES = 20_000
/** A line that is younger may not be whole. */
const YOUNG_TICKS = TICKS_PER_SECOND
/** The server leaves files out by when they were written last. */
const BEFORE_MS = 3_600_000

type Take = (record: ArchiveRecord) => void

/** Lines of the server's log files from a level on, once each; the files are read from where the reading before ended. */
export class StoredLogTap {
  readonly #least: number
  #read: ReadonlyMap<string, number> = new Map()
  #sinceTicks: number
  #lastTicks: number

  /** Lines of before `sinceTicks` are not recorded, unless a recorder before had begun. */
  constructor(least: LogLevel, sinceTicks: number) {
    this.#least = LOG_LEVELS.indexOf(least)
    this.#sinceTicks = sinceTicks
    this.#lastTicks = sinceTicks
  }

  /** From when on files are wanted, ISO 8601. */
  get from(): string {
    return new Date(msFromTicks(this.#lastTicks as Ticks) - BEFORE_MS).toISOString()
  }

  /** A record of before. */
  meet({ read, sinceTicks, lastTicks }: LogMarkRecord): void {
    this.#read = new Map(Object.entries(read))
    this.#sinceTicks = sinceTicks
    this.#lastTicks = lastTicks
  }

  /** Reads what is new of a zip of log files. Errors: `Refusal`, and `Error` for a zip that is cut. */
  async read(zip: Uint8Array<ArrayBuffer>): Promise<ReadLogs> {
    const blob = new Blob([zip])
    const files: LogPart[] = []
    let bytes = 0
    const entries = await listZip(blob)
    if (entries === null) throw new Error('The zip of the log is cut.')
    for (const entry of entries) {
      bytes += entry.bytes
      const file = await readFile(blob, entry, this.#read)
      if (file !== null) files.push(file)
    }
    return { files, bytes }
  }

  /** Takes what was read: rows and the mark at once. Returns bytes of all files, and whether one has levels. */
  take({ files: parts, bytes }: ReadLogs, nowTicks: number, take: Take): { bytes: number; hasLevels: boolean } {
    const files = parts.map((file) => ({ ...file, ...linesOf(file.text, nowTicks) }))
    const lines = files
      .flatMap((file) => file.lines)
      .filter(({ atTicks }) => atTicks >= this.#sinceTicks)
      .toSorted((a, b) => a.atTicks - b.atTicks)
    const isContinued = this.#read.size === 0 || files.length === 0 || files.some(({ key }) => this.#read.has(key))
    const [first] = lines
    if (!isContinued && first !== undefined)
      take(
        gapOf(
          this.#lastTicks,
          first.atTicks,
          'ring-lapped',
          null,
          'The server removed files of its log before they were read.',
        ),
      )
    const wanted = lines.filter(({ level }) => LOG_LEVELS.findIndex((each) => each === level) >= this.#least)
    const left = wanted.slice(0, Math.max(0, wanted.length - MOST_LINES))
    const [oldest] = left
    if (oldest !== undefined)
      take(
        gapOf(
          oldest.atTicks,
          left.at(-1)?.atTicks ?? oldest.atTicks,
          'paused-by-rookery',
          left.length,
          `The log had more than ${MOST_LINES.toLocaleString('en-US')} lines between two readings.`,
        ),
      )
    for (const line of wanted.slice(left.length))
      take({ ...line, message: withoutSecrets(line.message.slice(0, MOST_TEXT)) })
    this.#lastTicks = Math.max(this.#lastTicks, lines.at(-1)?.atTicks ?? 0)
    if (files.length > 0) this.#read = new Map(files.map(({ key, from, takenBytes }) => [key, from + takenBytes]))
    take(this.#mark)
    return { bytes, hasLevels: files.length > 0 }
  }

  /** As seeds of the next journal. */
  *seeds(): Generator<ArchiveRecord> {
    if (this.#read.size > 0) yield this.#mark
  }

  get #mark(): LogMarkRecord {
    const read = Object.fromEntries(this.#read)
    return { t: 'log-mark', read, sinceTicks: this.#sinceTicks, lastTicks: this.#lastTicks }
  }
}

const gapOf = (
  startTicks: number,
  endTicks: number,
  reason: 'ring-lapped' | 'paused-by-rookery',
  missingCount: number | null,
  detail: string,
): ArchiveRecord => ({
  t: 'gap',
  gap: {
    id: -1,
    source: sourceId({ kind: 'server' }),
    lane: SERVER_LOG,
    kind: null,
    reason,
    startTicks: startTicks as Ticks,
    endTicks: endTicks as Ticks,
    missingCount,
    missingBytes: null,
    detail,
  },
})

interface ReadLogs {
  readonly files: readonly LogPart[]
  /** Size of all files, unpacked. */
  readonly bytes: number
}

interface LogPart {
  /** First line below the head: it has a time, and the file keeps it under whatever name. */
  readonly key: string
  /** Bytes that were read before. */
  readonly from: number
  /** The part that is new, up to the end of a line. */
  readonly text: string
}

/** Reads what is new of a file; null: it is no log of 7.1. Only that is in memory. */
async function readFile(blob: Blob, entry: ZipEntry, read: ReadonlyMap<string, number>): Promise<LogPart | null> {
  const parts: Uint8Array[] = []
  let head = ''
  let from = 0
  /** Place of the first part in the file. */
  let start = 0
  for await (const chunk of await openZipEntry(blob, entry)) {
    parts.push(chunk)
    if (head.length < HEAD_BYTES) {
      head += latin1.decode(chunk.subarray(0, HEAD_BYTES - head.length))
      from = read.get(keyOf(head)) ?? 0
    }
    for (let [first] = parts; first !== undefined && start + first.length <= from; [first] = parts) {
      start += first.length
      parts.shift()
    }
  }
  if (!head.startsWith(HEAD) || keyOf(head) === '') return null
  const bytes = Buffer.concat(parts).subarray(from - start)
  const text = bytes.subarray(0, bytes.lastIndexOf(NEW_LINE) + 1).toString('utf8')
  return { key: keyOf(head), from, text }
}

const NEW_LINE = 0x0a
const latin1 = new TextDecoder('latin1')
const keyOf = (head: string): string => head.slice(HEAD.length).split('\n', 1)[0] ?? ''

/** Lines of a part of a file, but a last one that may not be whole, and how many of its bytes they take. */
function linesOf(
  text: string,
  nowTicks: number,
): { readonly lines: readonly LogRecord[]; readonly takenBytes: number } {
  const found = [...text.matchAll(LINE)]
  const lines = found.map((match, i): LogRecord => {
    const [start, day = '', clock = '', level = '', resource = '', component = '', logger = ''] = match
    const message = text.slice(match.index + start.length, found[i + 1]?.index).replace(/\|?\n$/, '')
    const atTicks = parseTicks(`${day}T${clock}Z`)
    return { t: 'log', atTicks, level: level.toLowerCase(), resource, component, logger, message }
  })
  const last = lines.at(-1)
  const isYoung = last !== undefined && last.atTicks > nowTicks - YOUNG_TICKS
  const taken = isYoung ? text.slice(0, found.at(-1)?.index) : text
  return { lines: isYoung ? lines.slice(0, -1) : lines, takenBytes: Buffer.byteLength(taken) }
}
