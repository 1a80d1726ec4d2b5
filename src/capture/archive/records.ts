import type { Gap, SourceId } from '../client/state.ts'

/** A line of a journal. Times are in ticks since 2020, as everywhere. */
export type ArchiveRecord =
  | IoRecord
  | RollUpRecord
  | BatchRecord
  | { readonly t: 'gap'; readonly gap: Gap }
  | VitalRecord
  | NoteRecord
  | FindingRecord
  | QueryRecord
  | CommandRecord
  | SettingRecord
  | LogRecord
  | LogMarkRecord
  | StacksRecord
  | KnownRecord

const KINDS: Readonly<Record<ArchiveRecord['t'], true>> = {
  io: true,
  sum: true,
  batch: true,
  gap: true,
  vital: true,
  note: true,
  finding: true,
  query: true,
  command: true,
  setting: true,
  log: true,
  'log-mark': true,
  stacks: true,
  known: true,
}

/** Whether this version knows the kind of a line: later versions may write further kinds. */
export const isRecord = (line: { readonly t?: unknown }): line is ArchiveRecord =>
  typeof line.t === 'string' && Object.hasOwn(KINDS, line.t)

/** How far a recording is complete, and the time of writing, ms since 1970. */
export interface KnownRecord {
  readonly t: 'known'
  /** Time up to which all I/O of each source was received, or is in a gap that is written. */
  readonly until: Readonly<Record<SourceId, number>>
  /** The same for figures of the server, ms since 1970. null: none yet. Missing in earlier journals: `atMs` counts. */
  readonly figuresMs?: number | null
  readonly atMs: number
}

/** A record that repeats the newest rows of an earlier run, which are in files and will be reported again. */
interface Seed {
  readonly seed?: 1
}

interface IoPlace {
  readonly source: SourceId
  readonly path: string
  readonly type: string
  readonly file: string
  readonly kind: string
}

export interface IoRecord extends IoPlace, Seed {
  readonly t: 'io'
  /** Start, duration, size, size of the file, compressed size, acceleration; −1 if not reported. */
  readonly c: readonly (readonly number[])[]
}

export interface RollUpRecord extends IoPlace, Seed {
  readonly t: 'sum'
  /** −1: not reported. */
  readonly r: readonly [start: number, end: number, size: number, busy: number, min: number, max: number]
}

export interface BatchRecord extends Seed {
  readonly t: 'batch'
  readonly source: SourceId
  readonly index: string
  readonly id: number
  readonly startTicks: number
  readonly durationTicks: number
  /** The server's JSON in `indexes/performance`; empty for a seed. */
  readonly json: string
}

export interface VitalRecord {
  readonly t: 'vital'
  readonly key: string
  readonly ticks: readonly number[]
  readonly values: readonly number[]
}

export interface NoteRecord extends Seed {
  readonly t: 'note'
  readonly id: string
  readonly atTicks: number
  readonly json: string
}

export interface FindingRecord extends Seed {
  readonly t: 'finding'
  readonly id: string
  readonly level: string
  readonly title: string
  readonly startTicks: number
  readonly endTicks: number
  readonly json: string
}

/** A command of the cluster log. */
export interface CommandRecord extends Seed {
  readonly t: 'command'
  readonly index: number
  readonly term: number
  readonly atTicks: number
  readonly kind: string
}

/** A setting of the server that differs from its default, or has changed. */
export interface SettingRecord extends Seed {
  readonly t: 'setting'
  readonly key: string
  readonly atTicks: number
  /** `found`: state at the start of the recording. */
  readonly kind: 'found' | 'changed'
  /** Value without secrets; null: the default. */
  readonly value: string | null
  readonly before: string | null
}

/** A line of the server's log. */
export interface LogRecord {
  readonly t: 'log'
  readonly atTicks: number
  /** `warn`, … */
  readonly level: string
  /** `Server`, or the name of a database. */
  readonly resource: string
  readonly component: string
  readonly logger: string
  /** Without what looks like a secret. */
  readonly message: string
}

/** How far log files were read; no row. */
export interface LogMarkRecord {
  readonly t: 'log-mark'
  /** Bytes by the hash of the first line of each file. */
  readonly read: Readonly<Record<string, number>>
  /** Lines of before are not recorded. */
  readonly sinceTicks: number
  /** The newest line, of whatever level. */
  readonly lastTicks: number
}

export interface QueryRecord extends Seed {
  readonly t: 'query'
  readonly id: string
  readonly startTicks: number
  readonly endTicks: number
  readonly json: string
}

/** A stack snapshot of all threads of the server. */
export interface StacksRecord extends Seed {
  readonly t: 'stacks'
  readonly atTicks: number
  /** Event for which it was taken: `Journal write of 1.20 s in Documents of shop`. */
  readonly title: string
  /** The server's JSON in `/admin/debug/threads/stack-trace`. */
  readonly json: string
}
