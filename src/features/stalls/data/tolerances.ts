/* Every constant of the judgement, with its reason. Times are ms, shares 0 to 1. */

/**
 * Tolerance of a rate. A device that serves bytes at one rate does so within some percent; the rest is room for noise
 * and for small operations at the same time.
 */
export const RATE_FACTOR = 1.5
/**
 * Tolerance of a size: other writes are comparable if they have between half and twice the bytes. That is wide enough
 * to find some, and narrow enough for them to have the same rate.
 */
export const SIZE_FACTOR = 2
/**
 * Minimum share of comparable writes with the same rate. With less, the other writes are usual and the stall is not.
 */
export const PEERS_SHARE = 0.55
/** Minimum number of comparable writes; fewer can take as long by accident. */
export const LEAST_PEERS = 4

/** Minimum number of periods with the same rate. Two may agree by accident, a third hardly. */
export const LEAST_PERIODS = 3
/** Minimum length of a long period, in median stalls, so that the share of writes at its edges is small. */
export const PERIOD_STALLS = 15
/** Minimum length of a period, in median stalls, once the limit is known: it has enough writes to show it. */
export const SHORT_PERIOD_STALLS = 5
/** Length of a pause that ends a period, in median stalls. */
export const PERIOD_GAP = 1
/**
 * Minimum share of a period's writes that stall. Behind a limit all writes wait at times; among stalls at random,
 * however many, few of the other writes stall.
 */
export const LIMIT_STALLED = 0.1
/** Minimum share of the slow time that has the rate. */
export const LIMIT_SHARE = 0.7
/**
 * Tolerance of the periods' rates around their median: a token bucket refills exactly, a load or a busy device does
 * not.
 */
export const LIMIT_SPREAD = 0.06
/**
 * Minimum share of the pairs of a stalled write and another in which more bytes are in flight at the stalled one. It is
 * 0.5 if bytes do not matter, and 0.78 in the recording of a limit.
 */
export const LIMIT_BYTES = 0.65
/** Factor by which the rate must be exceeded at other times; otherwise the rate is that of a steady load. */
export const FASTER_ELSEWHERE = 1.3

/**
 * Tolerance between the end of an interval and that of a write it held up, ms. The delay is longer on a busy machine;
 * `END_SHARE` allows more after a long wait.
 */
export const END_MS = 10
export const END_SHARE = 0.1
/** Number of draws of the permutation test. */
export const DRAWS = 300
/** Accepted probability of a coincidence. A capture has about five tests. */
export const CHANCE = 0.01
/**
 * Minimum ratio to the number that chance would produce. Two things with a common rhythm exceed chance as well, but not
 * by so much.
 */
export const TIMES_CHANCE = 3
/** Minimum number of waits; fewer can be accidents of one moment. */
export const LEAST_WAITS = 3
/**
 * Minimum share of the intervals with writes of an environment in which it waits, to count as held up; the others are
 * counter-examples.
 */
export const HELD_SHARE = 0.25
/** Minimum share of the stalls within intervals that end with the interval; below it, something else ends them. */
export const ENDED_SHARE = 0.5
/**
 * Minimum ratio of stalls that begin inside an interval to those that began before it and end with it. The latter wait
 * for the cause that ends both.
 */
export const TIMES_BEFORE = 2
/**
 * Time before and after a large write, in its lengths, in which stalls are evidence against it: behind a limit it waits
 * like all others.
 */
export const AROUND = 3
/** Maximum ratio of stalls around an interval to those that began inside; above it large writes are not the cause. */
export const AROUND_SHARE = 0.5
/** Maximum shift of an interval, in its lengths: near enough to have the load of its time. */
export const NEIGHBOURHOOD = 10
/** Maximum number of tested intervals, of which the longest are taken; more would not improve the test. */
export const MOST_INTERVALS = 1000

/**
 * Minimum share of a standstill in which an environment is slow; otherwise it was only slow by itself at the same time.
 */
export const STANDSTILL_SHARE = 0.5
/**
 * Minimum share of an environment's writes in a standstill that are slow: the standstill has edges, and some writes
 * slip through.
 */
export const STALLED_SHARE = 0.25
/**
 * Share of the bytes written in the same time before and after, by which a volume writes on: behind a limit it does so in
 * full, in a standstill next to nothing is written.
 */
export const MOVING_SHARE = 0.5
/** Minimum number of writes of each lane in that time, since a standstill holds back about one of each. */
export const WRITES_ON = 2
/** Minimum number of environments that are slow at once: two can be an accident while others write. */
export const LEAST_STORAGES = 3
/** Minimum ratio of the common time to that by chance: less is explained by busy times that they have in common. */
export const TIMES_TOGETHER = 2
