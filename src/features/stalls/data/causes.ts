import type { StallCause } from '../contract.ts'

/** As they are named on screen. */
export const CAUSE_TITLES: Readonly<Record<StallCause, string>> = {
  sync: 'Data sync',
  neighbour: 'Large commit beside it',
  compression: 'Compression before it',
  size: 'Own size',
  ceiling: 'Throughput limit',
  outside: 'Outside of the volumes',
  unexplained: 'Unexplained',
}
