import { mix, randomOf, whole, type Random } from '../../tools/workload/random.mjs'

/** Faults of the server, of the network between it and the pages, of its database, and of the pages. */
export const FAULTS = [
  'stop',
  'kill',
  'terminate',
  'refuse-503',
  'refuse-403',
  'black-hole',
  'cut',
  'slow',
  'disable',
  'index-reset',
  'index-deletion',
  'tab-opened',
  'tab-hidden',
  'tab-frozen',
  'tab-closed',
  'worker-killed',
] as const
export type Fault = (typeof FAULTS)[number]

export interface Step {
  readonly number: number
  readonly fault: Fault
  /** Length of the fault, s; 0: it is over at once. */
  readonly seconds: number
  /** Choice between several ways, such as the index or tab, from 0 to 1. */
  readonly variant: number
  /** Pause afterwards, once the pages have recovered, s. */
  readonly calmSeconds: number
  /** Whether the figures of the pages are checked afterwards. */
  readonly isCheckPoint: boolean
}

/** Shortest and longest, s. */
const LASTS: Readonly<Record<Fault, readonly [number, number]>> = {
  stop: [2, 20],
  kill: [0, 8],
  terminate: [0, 8],
  'refuse-503': [3, 15],
  'refuse-403': [3, 15],
  'black-hole': [4, 25],
  cut: [0, 6],
  slow: [6, 20],
  disable: [3, 15],
  'index-reset': [0, 0],
  'index-deletion': [2, 10],
  'tab-opened': [0, 0],
  'tab-hidden': [2, 20],
  'tab-frozen': [3, 20],
  'tab-closed': [0, 0],
  'worker-killed': [0, 0],
}
const CALM = [3, 7] as const
const CHECK_EVERY = 3

/** All faults in random order, then all in another order, and so on without end. The same for the same seed. */
export function* planOf(seed: number, faults: readonly Fault[]): Generator<Step, never> {
  for (let number = 1; ;) {
    const random = randomOf(mix(seed, number))
    for (const fault of shuffled(faults, random)) {
      const [least, most] = LASTS[fault]
      yield {
        number,
        fault,
        seconds: whole(random, least, most),
        variant: random(),
        calmSeconds: whole(random, ...CALM),
        isCheckPoint: number % CHECK_EVERY === 0,
      }
      number++
    }
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
