import type { StallCause } from '../../features/stalls/contract.ts'

/** For sums by cause. */
export const zeroByCause = (): Record<StallCause, number> => ({
  sync: 0,
  neighbour: 0,
  compression: 0,
  size: 0,
  ceiling: 0,
  outside: 0,
  unexplained: 0,
})
