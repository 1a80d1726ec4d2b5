import type { FrameId } from './ids.ts'
import type { TreeView } from './samples.ts'
import type { TextMatch } from './search.ts'

/** Origin of a frame's code, which determines its hue. */
export const FRAME_CATEGORIES = [
  'pseudo', // [Native Frames], CPU_TIME, the fold
  'runtime', // .NET itself
  'web', // Kestrel, ASP.NET
  'server', // Raven.Server, Raven.Client, Sparrow
  'storage', // Voron
  'search', // Corax, Lucene
  'index', // compiled indexes and scripts (Jint)
  'other',
] as const
export type FrameCategory = (typeof FRAME_CATEGORIES)[number]

export interface FrameName {
  readonly id: FrameId
  /** `JournalWriter.Write`; pseudo frames as they are. */
  readonly short: string
  /** Name as the server gave it. At most 4,096 characters; longer ones are cut and end in `…`. */
  readonly full: string
  /** `Voron`; empty in the format without modules (ClrMD). */
  readonly module: string
  readonly category: FrameCategory
}

export type FrameSort = 'self' | 'total' | 'name' | 'change'

/** A function over all samples: a recursive frame counts once for each sample. */
export interface FrameRow {
  readonly name: FrameName
  readonly self: number
  readonly total: number
  readonly selfAgainst: number
  readonly totalAgainst: number
  /** `grew`: more here than in `against`. `same` without a comparison. */
  readonly change: 'same' | 'grew' | 'shrank' | 'new' | 'vanished'
}

export interface FramesParams {
  readonly view: TreeView
  readonly match: TextMatch
  readonly sort: FrameSort
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

export interface FramesResponse {
  readonly total: number
  readonly matchError: string | null
  readonly rows: readonly FrameRow[]
  readonly weight: number
  readonly against: number
}
