/** Blocks of time into which a line is cut. Divisible by each of `POOLED` and `POOLED_DRIFTING`. */
export const BLOCKS = 128
/** So many blocks are taken together: how far apart events must be to be independent is not known. */
const POOLED = [1, 2, 4]
/** Load that drifts: neighbours of the longest are still that much alike, so that longer ones are tried. */
const DRIFTS_FROM = 0.15
const POOLED_DRIFTING = 8
/** Fewer blocks with events say nothing of how much they vary. */
export const LEAST_BLOCKS = 12
/** Blocks whose neighbours are alike count for fewer independent ones; with fewer than these the error is not known. */
const LEAST_INDEPENDENT = 8
const MOST_ALIKE = 0.95
/** Quantile of the standard normal distribution: one value in twenty is above it. */
const ONE_IN_TWENTY = 1.64

/** How far a share may be off. `freedom`: degrees of freedom of that error. */
export interface ShareError {
  readonly error: number
  readonly freedom: number
}

/**
 * Standard error of the share of events that are `slow`, from how it varies between blocks of time: within a burst events are
 * alike, so that they count for less than as many independent ones. Each block weighs as many events as it has, so that
 * load that comes and goes is no error. What blocks still have in common with the next one counts as well. The largest
 * error of several block lengths is taken. `few`: too few blocks have events. `drifts`: what slows them changes so slowly that
 * there are only a few independent stretches of it, which say nothing of how much they vary.
 */
export function shareError(all: Float64Array, slow: Float64Array): ShareError | 'few' | 'drifts' {
  const found = POOLED.map((pooled) => errorOf(pool(all, pooled), pool(slow, pooled)))
  // Single events hide it in the shortest blocks; the longest ones below are too few to show it.
  if (found.slice(1).every((each) => each?.drifts === true)) return 'drifts'
  if ((found.at(-1)?.alike ?? 0) > DRIFTS_FROM)
    found.push(errorOf(pool(all, POOLED_DRIFTING), pool(slow, POOLED_DRIFTING)))
  const weight = ({ error, freedom }: ShareError): number => error * (1 + 1 / freedom)
  const known = found.filter((each) => each !== null)
  if (found[0] === null || known.length === 0) return 'few'
  return known.reduce((worst, each) => (weight(each) > weight(worst) ? each : worst))
}

function pool(counts: Float64Array, pooled: number): Float64Array {
  const sums = new Float64Array(counts.length / pooled)
  for (let i = 0; i < counts.length; i++) {
    const into = Math.floor(i / pooled)
    sums[into] = (sums[into] as number) + (counts[i] as number)
  }
  return sums
}

interface BlockError extends ShareError {
  /** Correlation of neighbouring blocks. */
  readonly alike: number
  readonly drifts: boolean
}

function errorOf(all: Float64Array, slow: Float64Array): BlockError | null {
  let [events, slows, blocks] = [0, 0, 0]
  for (let i = 0; i < all.length; i++) {
    events += all[i] as number
    slows += slow[i] as number
    if ((all[i] as number) > 0) blocks++
  }
  if (blocks < LEAST_BLOCKS) return null
  const share = slows / events
  let [squares, neighbours, last, weights] = [0, 0, 0, 0]
  for (let i = 0; i < all.length; i++) {
    const own = all[i] as number
    const rest = (slow[i] as number) - share * own
    squares += rest * rest
    neighbours += rest * last
    last = rest
    weights += own * own
  }
  if (squares === 0) return { error: 0, freedom: blocks - 1, alike: 0, drifts: false }
  const alike = neighbours / squares
  const isAlike = alike > ONE_IN_TWENTY / Math.sqrt(blocks)
  // As if each block followed the one before by that much (AR(1)). The estimate is too low (Marriott and Pope, 1954).
  const follows = isAlike ? (alike + 1 / blocks) / (1 - 4 / blocks) : alike + 1 / blocks
  const bounded = Math.max(0, Math.min(MOST_ALIKE, follows))
  const spread = (1 + bounded) / (1 - bounded)
  const variance = (squares * blocks) / (blocks - 1) / (events * events)
  // Few busy blocks among many idle ones are as few as they are.
  const effective = Math.min(blocks, (events * events) / weights) / (isAlike ? spread : 1)
  return {
    error: Math.sqrt(variance * spread),
    freedom: Math.max(3, effective - 1),
    alike,
    drifts: isAlike && effective < LEAST_INDEPENDENT,
  }
}
