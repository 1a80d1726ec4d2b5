import type { StallCause } from '../../../stalls/contract.ts'

/** Appearance of a cause: hue and shape, since hue alone is not enough. */
export interface StallLook {
  /** CSS custom property of the hue. */
  readonly token: string
  /** Corners, in a box from −1 to 1; y points down. */
  readonly corners: readonly (readonly [x: number, y: number])[]
}

const BAR = 0.45

export const STALL_LOOKS: Readonly<Record<StallCause, StallLook>> = {
  sync: {
    token: '--kind-data-sync',
    corners: [
      [-1, -1],
      [1, -1],
      [0, 1],
    ],
  },
  flush: {
    token: '--kind-data-flush',
    corners: [
      [-1, 0],
      [1, -1],
      [1, 1],
    ],
  },
  neighbour: {
    token: '--series-second',
    corners: [
      [0, -1],
      [1, 0],
      [0, 1],
      [-1, 0],
    ],
  },
  bytes: {
    token: '--kind-journal-write',
    corners: [
      [-0.85, -0.85],
      [0.85, -0.85],
      [0.85, 0.85],
      [-0.85, 0.85],
    ],
  },
  standstill: {
    token: '--series-fourth',
    corners: [
      [0, -1],
      [1, 1],
      [-1, 1],
    ],
  },
  unexplained: {
    token: '--kind-unknown',
    corners: [
      [-1, -1],
      [0, -BAR],
      [1, -1],
      [BAR, 0],
      [1, 1],
      [0, BAR],
      [-1, 1],
      [-BAR, 0],
    ],
  },
}
