/** Number of blocks of time into which a lane is divided. A multiple of each item of `POOLED` and `POOLED_DRIFTING`. */
export const BLOCKS = 128
/** Block lengths that are tried: the distance at which events become independent is not known. */
const POOLED = [1, 2, 4]
/** Correlation of neighbours, at the longest block, above which load drifts and longer blocks are tried. */
const DRIFTS_FROM = 0.15
const POOLED_DRIFTING = 8
/** Minimum number of blocks with events for an estimate of their variation. */
export const LEAST_BLOCKS = 12
/** Minimum number of independent blocks; correlated neighbours count as fewer. Below it the error is not known. */
const LEAST_INDEPENDENT = 8
const MOST_ALIKE = 0.95
/** Quantile of the standard normal distribution that 5 % of values exceed. */
const ONE_IN_TWENTY = 1.64

/** Error of a share. `freedom`: degrees of freedom of the error. */
export interface ShareError {
  readonly error: number
  readonly freedom: number
}

/**
 * Standard error of the share of events that are `slow`, from its variation between blocks of time: events within a
 * burst are correlated and count as fewer independent ones. Blocks are weighted by their number of events, so that
 * changing load adds no error. Correlation between neighbouring blocks is included, and the largest error of several
 * block lengths is returned. `few`: too few blocks have events. `drifts`: the cause changes so slowly that the range
 * has only a few independent stretches, too few to estimate the variation.
 */
export function shareError(all: Float64Array, slow: Float64Array): ShareError | 'few' | 'drifts' {
  const found = POOLED.map((pooled) => errorOf(pool(all, pooled), pool(slow, pooled)))
  // The shortest blocks have too few events to show drift; there are too few of the longest blocks.
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
  // AR(1) model. The estimate of the correlation is biased downwards (Marriott and Pope, 1954) and is corrected.
  const follows = isAlike ? (alike + 1 / blocks) / (1 - 4 / blocks) : alike + 1 / blocks
  const bounded = Math.max(0, Math.min(MOST_ALIKE, follows))
  const spread = (1 + bounded) / (1 - bounded)
  const variance = (squares * blocks) / (blocks - 1) / (events * events)
  // A few busy blocks among many idle ones count as few.
  const effective = Math.min(blocks, (events * events) / weights) / (isAlike ? spread : 1)
  return {
    error: Math.sqrt(variance * spread),
    freedom: Math.max(3, effective - 1),
    alike,
    drifts: isAlike && effective < LEAST_INDEPENDENT,
  }
}
