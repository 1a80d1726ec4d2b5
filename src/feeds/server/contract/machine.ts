import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'

export interface ServerMemory {
  readonly atTicks: Ticks
  /**
   * Source of the machine's figures: the Linux kernel (passed on by the server) or the server's own figures, which are
   * up to 20 s older.
   */
  readonly source: 'kernel' | 'server'
  /**
   * Why it is not the kernel; null: it is.
   * - `right`: its figures need Operator
   * - `system`: the server does not pass any on, as on Windows
   * - `confined`: the server may use less than the machine has, as in a container, and the kernel reports its host
   */
  readonly whyServer: 'right' | 'system' | 'confined' | null
  readonly physicalBytes: Bytes
  /** Memory without any content. Part of the available memory. */
  readonly freeBytes: Bytes
  /**
   * Memory that a program can allocate: free memory, and caches that the system can drop. An estimate of the system.
   */
  readonly availableBytes: Bytes
  /** File pages of the whole machine that are not on disk yet; null: not reported. */
  readonly unwrittenBytes: Bytes | null
  /** All pages of the process that are in memory, file pages included. */
  readonly residentBytes: Bytes
  /** Swapped memory of the process; null: not reported. */
  readonly swapBytes: Bytes | null
  /** Resident memory by kind; null: not known, because only the kernel reports it. */
  readonly process: {
    readonly anonymousBytes: Bytes
    readonly sharedBytes: Bytes
    readonly fileBytes: Bytes
  } | null
  /** Pages of mapped files; null: not requested, or not known. */
  readonly files: FilePages | null
  /** Memory that the server itself accounts for, which is only a part of its private memory; null: not requested. */
  readonly own: {
    readonly managedBytes: Bytes
    readonly unmanagedBytes: Bytes
    /** Scratch buffers in use: address space, not resident memory. */
    readonly scratchBytes: Bytes
  } | null
  /** `None`, `Low`, `ExtremelyLow`, or what the server reported. */
  readonly severity: string
  /** Source of `severity`: the server, the newest event of the server's log, or a comparison with `lowLimit`. */
  readonly severityFrom: 'server' | 'log' | 'limit'
  /** Amount of available memory below which the server considers memory low. */
  readonly lowLimit: { readonly bytes: Bytes; readonly from: 'configured' | 'default' | 'log' | 'assumed' }
}

/** Resident file pages by whether they are also on disk. Not measured at the same time as the other figures. */
export interface FilePages {
  readonly atTicks: Ticks
  readonly cleanBytes: Bytes
  /** Pages that must be written to disk before they can be dropped. Private memory is not included. */
  readonly dirtyBytes: Bytes
}

export interface ServerGc {
  readonly atTicks: Ticks
  /** Number of the newest collection, in one sequence over all kinds since the server started; 0: none. */
  readonly index: number
  /** Collections per minute, of all kinds together; null: observed for less than a minute. */
  readonly perMinute: number | null
  /** The newest collection of any kind; null: none. */
  readonly newest: GcKind | null
  /** Share of time in pauses since the start of the server, %, as of the newest collection. */
  readonly pauseTimePercent: number
  /**
   * Share of the last minute in pauses, 0–1. A lower bound, since only observed collections count. Null: not known yet.
   */
  readonly recentPauseShare: number | null
  /** Details of the newest collection at the time of the request; null: needs Operator. */
  readonly detail: {
    readonly atTicks: Ticks
    /** Memory that the process has committed for the managed heap, used or not. */
    readonly committedBytes: Bytes
    /** Number of pinned objects. 0 after most minor collections, so that it cannot be used as a current level. */
    readonly pinnedObjects: number
  } | null
  /** The newest collection of each kind. */
  readonly kinds: readonly GcKind[]
}

export interface GcKind {
  readonly kind: 'Ephemeral' | 'Background' | 'FullBlocking'
  /** Number of the collection in the sequence over all kinds, never a count of this kind; 0: none of this kind yet. */
  readonly index: number
  /** Sum of the pauses of this collection. */
  readonly pauseMs: number
  /** Size of the heap after the collection, free gaps included. */
  readonly heapAfterBytes: Bytes
  /** All five heaps, whichever of them were collected. */
  readonly heaps: readonly {
    readonly heap: 'gen0' | 'gen1' | 'gen2' | 'loh' | 'poh'
    /** Size after the collection, free gaps (`fragmentedAfterBytes`) included. */
    readonly afterBytes: Bytes
    readonly fragmentedAfterBytes: Bytes
  }[]
}

/** Files that used up free space of a volume since the volume was first seen, over an hour at most. */
export interface VolumeGrowth {
  readonly overMs: number
  /** Decrease of free space; negative: free space grew. */
  readonly lostBytes: number
  /**
   * Growth of data and temporary files of RavenDB. Without journals that wait for a data sync, which the server does
   * not report.
   */
  readonly ravenBytes: number
  /** Growth of the databases that grew most; null: the first reports had no sizes of databases. */
  readonly databases: readonly { readonly database: string; readonly bytes: number }[] | null
}

export interface Volume {
  readonly mount: string
  readonly label: string | null
  readonly totalBytes: Bytes
  readonly freeBytes: Bytes
  readonly ravenBytes: Bytes
  readonly ravenTempBytes: Bytes
  /** Whether the server considers the space low. */
  readonly isLow: boolean
  /**
   * Time, ms, until the volume is full at the rate of the last hour (observed for at least 10 minutes), or of the last
   * four minutes if it is full within half an hour then; null: free space does not shrink, or not known.
   */
  readonly fullInMs: number | null
  /** Decrease of free space, bytes per second; negative: it grows. Null: not known. */
  readonly shrinksBytesPerSecond: number | null
  /** Time that the decrease is the mean of, ms; 0: not known. */
  readonly shrinksOverMs: number
  /** Growth of files on the volume; null: observed for too short a time. */
  readonly growth: VolumeGrowth | null
  readonly io: {
    readonly readsPerSecond: number
    readonly writesPerSecond: number
    readonly readBytesPerSecond: number
    readonly writeBytesPerSecond: number
    readonly queueLength: number | null
  } | null
  /** Databases that the server lists on this volume, by size, at most 50; `<System>` is the server's own storage. */
  readonly environments: readonly { readonly database: string; readonly bytes: Bytes; readonly tempBytes: Bytes }[]
  /** Number of further databases on this volume. */
  readonly moreEnvironments: number
}
