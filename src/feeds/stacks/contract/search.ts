/** A search text: a RE2 expression if `isRegex`, otherwise plain. Ignores case. */
export interface TextMatch {
  readonly text: string
  readonly isRegex: boolean
}

export interface SearchResult {
  readonly error: string | null
  /** Number of distinct matching frames in the view. */
  readonly frames: number
  /** Weight of the samples with any matching frame, as a weight and as a share of the total (0…1). */
  readonly weight: number
  readonly share: number
  readonly againstShare: number
}
