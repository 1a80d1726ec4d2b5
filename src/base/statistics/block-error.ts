/** Blocks of time into which a line is cut. Divisible by each of `POOLED` and `POOLED_DRIFTING`. */
export const BLOCKS = 128
/** So many blocks are taken together: how far apart events must be to be independent is not known. */
const POOLED = [1, 2, 4]
/** Load that drifts: neighbours of the longest are still that much alike, so that longer ones are tried. */
const DRIFTS_FROM = 0.15
const POOLED_DRIFTING = 8
/** Fewer blocks with events say nothing of how much they vary. */
export const LEAST_BLOCKS = 12

/** How far a share may be off. `freedom`: degrees of freedom of that error. */
export interface ShareError {
  readonly error: number
  readonly freedom: number
}

/**
 * Standard error of the share of events that are `slow`, from how it varies between blocks of time: within a burst events are
 * alike, so that they count for less than as many independent ones. Each block weighs as many events as it has, so that
 * load that comes and goes is no error. What blocks still have in common with the next one counts as well. The largest
 * error of several block lengths is taken. Null: too few blocks have events.
 */
export function shareError(all: Float64Array, slow: Float64Array): ShareError | null {
  const found = POOLED.map((pooled) => errorOf(pool(all, pooled), pool(slow, pooled)))
  if ((found.at(-1)?.alike ?? 0) > DRIFTS_FROM)
    found.push(errorOf(pool(all, POOLED_DRIFTING), pool(slow, POOLED_DRIFTING)))
  const weight = ({ error, freedom }: ShareError): number => error * (1 + 1 / freedom)
  return found.reduce((worst, each) =>
    worst === null || (each !== null && weight(each) > weight(worst)) ? each : worst,
  )
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
  let [squares, neighbours, last, largest, weights] = [0, 0, 0, 0, 0]
  for (let i = 0; i < all.length; i++) {
    const own = all[i] as number
    const rest = (slow[i] as number) - share * own
    squares += rest * rest
    neighbours += rest * last
    last = rest
    weights += own * own
    largest = Math.max(largest, own)
  }
  if (squares === 0) return { error: 0, freedom: blocks - 1, alike: 0 }
  // As if each block followed the one before by that much (AR(1)); the estimate is too low by about 1/blocks.
  const alike = Math.max(0, Math.min(0.8, neighbours / squares + 1 / blocks))
  const variance = (squares * blocks) / (blocks - 1) / (events * events)
  // Few busy blocks among many idle ones are as few as they are.
  const effective = Math.min(blocks, (events * events) / weights)
  return {
    error: Math.sqrt((variance * (1 + alike)) / (1 - alike)),
    freedom: Math.max(3, effective - 1),
    alike: neighbours / squares,
  }
}
