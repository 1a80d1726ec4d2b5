/** A text to look for. `isRegex`: an expression of RE2; otherwise plain. Neither regards case. */
export interface TextMatch {
  readonly text: string
  readonly isRegex: boolean
}

export interface SearchResult {
  readonly error: string | null
  /** Distinct frames of the view that match. */
  readonly frames: number
  /** Weight of the samples in which any frame matches: as weight, and as share of the total (0…1). */
  readonly weight: number
  readonly share: number
  readonly againstShare: number
}
