import { createHash } from 'node:crypto'
import { msFromTicks, parseTicks, type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { withoutSecrets } from '../../base/text/secrets.ts'
import type { ArchiveRecord, LogMarkRecord, LogRecord } from '../../capture/archive/records.ts'
import { SERVER_LOG } from '../../capture/archive/tables.ts'
import { sourceId } from '../../capture/client/state.ts'
import { listZip, openZipEntry, type ZipEntry } from '../../capture/reading/zip.ts'

/** Levels as RavenDB 7.1 names them, the lowest first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Header of a log file of 7.1. Earlier versions do not log these levels. */
const HEAD = 'Date|Level|ThreadID|Resource|Component|Logger|Message|Data\n'
const HEAD_BYTES = 4096
/** Beginning of a log line, UTC: `2026-11-27 16:43:39.7577|WARN|1|Server||Raven…|…`; others may follow. */
const LINE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{4})\|([A-Z]+)\|[^|]*\|([^|]*)\|([^|]*)\|([^|]*)\|/gm
const MOST_TEXT = 8000
/** Maximum number of lines of one reading. Of more lines only the newest are recorded; the others are a gap. */
const MOST_LINES = 20_000
/** Age below which the last line may be incomplete. */
const YOUNG_TICKS = TICKS_PER_SECOND
/** Margin of the time from which files are requested, ms: the server goes by the time of their last write. */
const BEFORE_MS = 3_600_000

type Take = (record: ArchiveRecord) => void

/** Takes each line of the server's log from a minimum level on once, from the end of the previous reading. */
export class StoredLogTap {
  readonly #least: number
  #read: ReadonlyMap<string, number> = new Map()
  #sinceTicks: number
  #lastTicks: number

  /** Lines before `sinceTicks` are not recorded, unless an earlier recorder had begun with them. */
  constructor(least: LogLevel, sinceTicks: number) {
    this.#least = LOG_LEVELS.indexOf(least)
    this.#sinceTicks = sinceTicks
    this.#lastTicks = sinceTicks
  }

  /** Time from which log files are requested, ISO 8601. */
  get from(): string {
    return new Date(msFromTicks(this.#lastTicks as Ticks) - BEFORE_MS).toISOString()
  }

  /** Takes a record of an earlier recording. */
  meet({ read, sinceTicks, lastTicks }: LogMarkRecord): void {
    this.#read = new Map(Object.entries(read))
    this.#sinceTicks = sinceTicks
    this.#lastTicks = lastTicks
  }

  /** Reads the new part of each file in a zip of log files. Errors: `Refusal`, and `Error` for a truncated zip. */
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

  /** Takes a reading: lines with the mark of how far files were read. Returns bytes, and whether files have levels. */
  take({ files: parts, bytes }: ReadLogs, nowTicks: number, take: Take): { bytes: number; hasLevels: boolean } {
    const files = parts.map((file) => ({ ...file, ...linesOf(file.text, nowTicks, this.#sinceTicks, this.#least) }))
    const isContinued = this.#read.size === 0 || files.length === 0 || files.some(({ key }) => this.#read.has(key))
    const firstTicks = Math.min(...files.map((file) => file.firstTicks))
    if (!isContinued && firstTicks < Number.POSITIVE_INFINITY)
      take(
        gapOf(
          this.#lastTicks,
          firstTicks,
          'ring-lapped',
          null,
          'The server removed files of its log before they were read.',
        ),
      )
    const wanted = files.flatMap((file) => file.lines).toSorted((a, b) => a.atTicks - b.atTicks)
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
    for (const line of wanted.slice(left.length)) take(apart({ ...line, message: shortened(line.message) }))
    this.#lastTicks = Math.max(this.#lastTicks, ...files.map((file) => file.lastTicks))
    if (files.length > 0) this.#read = new Map(files.map(({ key, from, takenBytes }) => [key, from + takenBytes]))
    take(this.#mark)
    return { bytes, hasLevels: files.length > 0 }
  }

  /** Returns records that start the next journal. */
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
  /** Size of all files, uncompressed. */
  readonly bytes: number
}

interface LogPart {
  /**
   * Hash of the first line after the header. It identifies the file: the line contains a time, and stays the same when
   * the file is renamed. The line itself may contain a secret, and the key is written to the journal.
   */
  readonly key: string
  /** Number of bytes that were read before. */
  readonly from: number
  /** New part of the file, up to the end of a line. */
  readonly text: string
}

/** Reads the new part of a file; only that part is kept in memory. Null: it is not a log file of 7.1. */
async function readFile(blob: Blob, entry: ZipEntry, read: ReadonlyMap<string, number>): Promise<LogPart | null> {
  const parts: Uint8Array[] = []
  let head = ''
  let from = 0
  /** Offset of the first kept part in the file. */
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
/** Key of a file; empty if the file has no lines yet. */
function keyOf(head: string): string {
  const [line = ''] = head.slice(HEAD.length).split('\n', 1)
  return line === '' ? '' : createHash('sha256').update(line, 'latin1').digest('base64url')
}

/** Removes secrets before it cuts the end off, as half of one may not be recognised. What was cut ends in `…`. */
function shortened(message: string): string {
  const text = withoutSecrets(message.slice(0, 2 * MOST_TEXT))
  return text.length > MOST_TEXT || message.length > 2 * MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}

/** Copies a line: a part of a text keeps the whole text in memory, and records are kept until the next fold. */
const apart = (line: LogRecord): LogRecord => JSON.parse(JSON.stringify(line)) as LogRecord

interface FoundLines {
  /** Lines from the time and the level on. */
  readonly lines: readonly LogRecord[]
  /** First and last time of the lines from the time on, at any level; infinite if there are none. */
  readonly firstTicks: number
  readonly lastTicks: number
  /** Bytes that are not read again. */
  readonly takenBytes: number
}

/** Lines of a part of a file, without a last line that may be incomplete. Lines that are not recorded are not kept. */
function linesOf(text: string, nowTicks: number, sinceTicks: number, least: number): FoundLines {
  const lines: LogRecord[] = []
  let [firstTicks, lastTicks] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let open: RegExpExecArray | null = null
  const timeOf = ([, day = '', clock = '']: RegExpExecArray): number => parseTicks(`${day}T${clock}Z`)
  const close = (match: RegExpExecArray, end: number | undefined): void => {
    const atTicks = timeOf(match)
    if (atTicks < sinceTicks) return
    firstTicks = Math.min(firstTicks, atTicks)
    lastTicks = Math.max(lastTicks, atTicks)
    const [start, , , name = '', resource = '', component = '', logger = ''] = match
    const level = name.toLowerCase()
    if (LOG_LEVELS.findIndex((each) => each === level) < least) return
    const message = text.slice(match.index + start.length, end).replace(/\|?\n$/, '')
    lines.push({ t: 'log', atTicks, level, resource, component, logger, message })
  }
  for (const match of text.matchAll(LINE)) {
    if (open !== null) close(open, match.index)
    open = match
  }
  const isYoung = open !== null && timeOf(open) > nowTicks - YOUNG_TICKS
  if (open !== null && !isYoung) close(open, undefined)
  const taken = isYoung ? text.slice(0, open?.index) : text
  return { lines, firstTicks, lastTicks, takenBytes: Buffer.byteLength(taken) }
}
