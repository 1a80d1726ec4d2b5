interface MapRates {
  /** Entries per second of map indexes. */
  readonly indexedPerSecond?: number | null
  /** Entries per second of map-reduce indexes. */
  readonly mappedPerSecond?: number | null
}

/**
 * Entries per second that maps produce, over both types of index; reduces are another step and not included. Null: not
 * reported.
 */
export function mapRate({ indexedPerSecond = null, mappedPerSecond = null }: MapRates): number | null {
  return indexedPerSecond === null && mappedPerSecond === null ? null : (indexedPerSecond ?? 0) + (mappedPerSecond ?? 0)
}
