import { bisectAfter } from '../../../../base/columns/bisect.ts'
import type { RawRow } from '../../../../capture/raw/queries.ts'

/** Levels of the server, lowest first; besides information, 5.4 and 6.2 have only `operations`. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'operations', 'warn', 'error', 'fatal'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** A line of a log; one without a head (a stack trace) has the level of the line before it. */
export interface LogLine {
  /** Byte at which it begins. */
  readonly at: number
  /** Level; null: no line before it has one. */
  readonly level: LogLevel | null
  /** Text as written, cut at `LINE_UNITS`. */
  readonly text: string
  readonly isCut: boolean
  /** Parsed line; null: without a level. */
  readonly head: LogHead | null
}

/** Parts of a line, as written. */
export interface LogHead {
  readonly time: string
  readonly level: string
  /** Database, or component of the server. */
  readonly source: string
  readonly logger: string
  readonly message: string
}

/** Maximum length of a line in memory, in characters. */
export const LINE_UNITS = 4000

/** Format of 7.x: `Date|Level|ThreadID|Resource|Component|Logger|Message|Data`. */
const WITH_BARS =
  /^(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\|(?<level>[A-Za-z]+)\|[^|]*\|(?<source>[^|]*)\|[^|]*\|(?<logger>[^|]*)\|(?<message>.*)$/s
/** Format of 5.4 and 6.2, without quotes: `Time, Thread, Level, Source, Logger, Message, Exception`. */
const WITH_COMMAS =
  /^(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?), \d+, (?<level>[A-Za-z]+), (?<source>[^,]*), (?<logger>[^,]*), (?<message>.*)$/s

const BY_WORD: Readonly<Record<string, LogLevel>> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  information: 'info',
  operations: 'operations',
  warn: 'warn',
  error: 'error',
  fatal: 'fatal',
}

/** Parses the head of a line of any version; null: no head, or an unknown level. */
export function readHead(text: string): { readonly head: LogHead; readonly level: LogLevel } | null {
  const { time, level, source, logger, message } = (WITH_BARS.exec(text) ?? WITH_COMMAS.exec(text))?.groups ?? {}
  const known = Object.hasOwn(BY_WORD, (level ?? '').toLowerCase()) ? BY_WORD[(level ?? '').toLowerCase()] : undefined
  if (known === undefined) return null
  const head = {
    time: time ?? '',
    level: level ?? '',
    source: source ?? '',
    logger: logger ?? '',
    message: message ?? '',
  }
  return { head, level: known }
}

/** Joins lines from rows of the raw viewer, which are cut at a length of their own. */
export class LogReader {
  readonly lines: LogLine[] = []
  #level: LogLevel | null = null
  #text = ''
  #at = 0
  #isOpen = false
  #isCut = false

  feed(rows: readonly RawRow[]): void {
    for (const row of rows) {
      if (!this.#isOpen) {
        this.#at = row.at
        this.#text = ''
        this.#isCut = false
        this.#isOpen = true
      }
      const text = row.parts.join('')
      const room = LINE_UNITS - this.#text.length
      this.#text += text.length > room ? text.slice(0, room) : text
      this.#isCut ||= text.length > room
      if (!row.isCut) this.#end()
    }
  }

  /** No more rows will come: the last line ends here. */
  finish(): void {
    if (this.#isOpen) this.#end()
  }

  #end(): void {
    this.#isOpen = false
    const read = readHead(this.#text)
    if (read !== null) this.#level = read.level
    this.lines.push({
      at: this.#at,
      level: this.#level,
      text: this.#text,
      isCut: this.#isCut,
      head: read?.head ?? null,
    })
  }
}

/** Lines whose level is not hidden; null in the set hides those without a level. */
export const linesOfLevels = (lines: readonly LogLine[], hidden: ReadonlySet<LogLevel | null>): readonly LogLine[] =>
  hidden.size === 0 ? lines : lines.filter(({ level }) => !hidden.has(level))

/** Number of lines by level; null counts lines without one. */
export function countLevels(lines: readonly LogLine[]): ReadonlyMap<LogLevel | null, number> {
  const counts = new Map<LogLevel | null, number>()
  for (const { level, head } of lines)
    if (head !== null || level === null) counts.set(level, (counts.get(level) ?? 0) + 1)
  return counts
}

/** Indexes of the lines that contain `find`, ignoring case; empty for an empty text. */
export function findLines(lines: readonly LogLine[], find: string): readonly number[] {
  const wanted = find.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap(({ text }, position) => (text.toLowerCase().includes(wanted) ? [position] : []))
}

/** Alternately plain and found text, beginning with plain (maybe empty). */
export function splitAtHits(text: string, find: string): readonly string[] {
  if (find === '') return [text]
  const whole = text.toLowerCase()
  const wanted = find.toLowerCase()
  // Some capital letters are longer in lower case, so that positions would differ.
  if (whole.length !== text.length) return [text]
  const parts: string[] = []
  let from = 0
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length))
    from = at + wanted.length
  }
  return [...parts, text.slice(from)]
}

/** Index of the line that contains a byte; −1: before these lines, or (if more follow) after them. */
export function lineAround(lines: readonly LogLine[], at: number, isLast: boolean): number {
  const position = bisectAfter(lines, at, (line) => line.at) - 1
  return position === lines.length - 1 && !isLast && lines[position]?.at !== at ? -1 : position
}

/** The entry that contains the line at `position`: its line with a head, and the following ones without. */
export function entryAround(lines: readonly LogLine[], position: number): readonly LogLine[] {
  let first = position
  while (first > 0 && lines[first]?.head === null) first--
  let end = position + 1
  while (end < lines.length && end - first < MOST_ENTRY_LINES && lines[end]?.head === null) end++
  return lines.slice(first, end)
}

/** Maximum number of lines shown for one entry. */
const MOST_ENTRY_LINES = 2000
