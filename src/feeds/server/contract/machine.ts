import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'

export interface ServerMemory {
  readonly atTicks: Ticks
  /** Who measured the machine: the Linux kernel, whose figures the server passes on, or the server itself (up to 20 s older). */
  readonly source: 'kernel' | 'server'
  /**
   * Why it is not the kernel; null: it is.
   * - `right`: its figures need Operator
   * - `system`: the server does not pass any on, as on Windows
   * - `confined`: the server may use less than the machine has, as in a container, and the kernel reports its host
   */
  readonly whyServer: 'right' | 'system' | 'confined' | null
  readonly physicalBytes: Bytes
  /** Holds nothing at all. Lies inside available. */
  readonly freeBytes: Bytes
  /** Memory that a program can get: free, and caches that the system can drop. An estimate of the system. */
  readonly availableBytes: Bytes
  /** Pages of files that are not on disk yet, of the whole machine; null: not reported. */
  readonly unwrittenBytes: Bytes | null
  /** All pages of the process that are in memory, pages of files included. */
  readonly residentBytes: Bytes
  /** Swapped memory of the process; null: not reported. */
  readonly swapBytes: Bytes | null
  /** Resident memory by kind; null: only the kernel knows. */
  readonly process: {
    readonly anonymousBytes: Bytes
    readonly sharedBytes: Bytes
    readonly fileBytes: Bytes
  } | null
  /** Pages of mapped files; null: not requested, or not known. */
  readonly files: FilePages | null
  /** Memory that the server counts of itself, which explains only a part of its private memory; null: not requested. */
  readonly own: {
    readonly managedBytes: Bytes
    readonly unmanagedBytes: Bytes
    /** Scratch buffers in use: address space, not resident memory. */
    readonly scratchBytes: Bytes
  } | null
  /** `None`, `Low`, `ExtremelyLow`, or what the server reported. */
  readonly severity: string
  /** Whose judgement that is: the server's, its log's newest event, or that of the limit. */
  readonly severityFrom: 'server' | 'log' | 'limit'
  /** Below so much available memory the server counts memory as low. */
  readonly lowLimit: { readonly bytes: Bytes; readonly from: 'configured' | 'default' | 'log' | 'assumed' }
}

/** Resident pages of files by whether they are on disk as well; of another moment than the rest. */
export interface FilePages {
  readonly atTicks: Ticks
  readonly cleanBytes: Bytes
  /** To be written first. Private memory is not among it. */
  readonly dirtyBytes: Bytes
}

export interface ServerGc {
  readonly atTicks: Ticks
  /** Number of the newest collection in the one sequence over all kinds, since the server started; 0: none. */
  readonly index: number
  /** Collections a minute, of all kinds together; null: not watched for a minute yet. */
  readonly perMinute: number | null
  /** The newest collection of all; null: none. */
  readonly newest: GcKind | null
  /** Since the start of the server, %, as of the newest collection. */
  readonly pauseTimePercent: number
  /** Share of the last minute in pauses, 0–1, of those collections that were seen: at least this. Null: not known yet. */
  readonly recentPauseShare: number | null
  /** Newest collection at the time of the request; null: needs Operator. */
  readonly detail: {
    readonly atTicks: Ticks
    /** Memory that the process pays for the managed heap, used or not. */
    readonly committedBytes: Bytes
    /** 0 after most minor collections: not a level. */
    readonly pinnedObjects: number
  } | null
  /** The newest collection of each kind. */
  readonly kinds: readonly GcKind[]
}

export interface GcKind {
  readonly kind: 'Ephemeral' | 'Background' | 'FullBlocking'
  /** Number in the one sequence over all kinds, never a count of the kind; 0: none of this kind yet. */
  readonly index: number
  /** Sum of its pauses. */
  readonly pauseMs: number
  /** Free gaps included. */
  readonly heapAfterBytes: Bytes
  /** All five, whatever was collected. */
  readonly heaps: readonly {
    readonly heap: 'gen0' | 'gen1' | 'gen2' | 'loh' | 'poh'
    /** Free gaps (`fragmentedAfterBytes`) included. */
    readonly afterBytes: Bytes
    readonly fragmentedAfterBytes: Bytes
  }[]
}

/** Whose files took free space of a volume, since it was seen first, at most an hour. */
export interface VolumeGrowth {
  readonly overMs: number
  /** Decrease of free space; negative: free space grew. */
  readonly lostBytes: number
  /** Growth of data and temporary files of RavenDB; the server leaves out journals that wait for a data sync. */
  readonly ravenBytes: number
  /** Growth of the databases that grew most; null: the sizes of databases were not reported at first. */
  readonly databases: readonly { readonly database: string; readonly bytes: number }[] | null
}

export interface Volume {
  readonly mount: string
  readonly label: string | null
  readonly totalBytes: Bytes
  readonly freeBytes: Bytes
  readonly ravenBytes: Bytes
  readonly ravenTempBytes: Bytes
  /** Whether memory is low by the server's judgement. */
  readonly isLow: boolean
  /** At the rate of the last hour (at least 10 minutes seen), ms until full; null: not growing, or not known. */
  readonly fullInMs: number | null
  /** Bytes a second that free space shrinks by, over the last hour; negative: it grows. Null: not known. */
  readonly shrinksBytesPerSecond: number | null
  /** Growth of files on the volume; null: too little was observed. */
  readonly growth: VolumeGrowth | null
  readonly io: {
    readonly readsPerSecond: number
    readonly writesPerSecond: number
    readonly readBytesPerSecond: number
    readonly writeBytesPerSecond: number
    readonly queueLength: number | null
  } | null
  /** Databases that the server's list places here, by size, at most 50; `<System>` is the server's own storage. */
  readonly environments: readonly { readonly database: string; readonly bytes: Bytes; readonly tempBytes: Bytes }[]
  /** How many more there are. */
  readonly moreEnvironments: number
}
