/* Every constant of the judgement, with its reason. Times are ms, shares 0 to 1. */

/** A device that serves bytes at one rate does so within some percent; this leaves room for its noise and for small operations beside. */
export const RATE_FACTOR = 1.5
/** Other writes are of about the size when they have between half and twice the bytes: enough of them, and the same rate all the same. */
export const SIZE_FACTOR = 2
/** Share of the writes of about its size that must be as long; with less, the rest is usual and the stall is not. */
export const PEERS_SHARE = 0.55
/** Least number of writes of about the same size; fewer can be as long by accident. */
export const LEAST_PEERS = 4

/** Two periods are no rule: the third that has the rate of the others cannot be by accident as well. */
export const LEAST_PERIODS = 3
/** A period is long when it lasts for this many median stalls, so that the share of the writes at its edges is small. */
export const PERIOD_STALLS = 15
/** Once the limit is known, a period this long has enough writes to show it. */
export const SHORT_PERIOD_STALLS = 5
/** A pause as long as the median stall ends a period. */
export const PERIOD_GAP = 1
/** Behind a limit all wait at times; where stalls come at random, however many, few of the writes beside them stall. */
export const LIMIT_STALLED = 0.1
/** Share of the slow time that must have the rate. */
export const LIMIT_SHARE = 0.7
/** Bytes a second of the periods lie this close to their middle: a bucket refills exactly, a load or a busy device does not. */
export const LIMIT_SPREAD = 0.06
/** Share of the pairs of a stalled write and another, in which more bytes are under way at the stalled one: 0.5 where bytes do not matter, 0.78 of a recorded limit. */
export const LIMIT_BYTES = 0.65
/** A limit that is exceeded at no other time is a load that is steady. */
export const FASTER_ELSEWHERE = 1.3

/** Delay of a release after the end of an interval, ms: longer on a busy machine, and less relevant after a long wait. */
export const END_MS = 10
export const END_SHARE = 0.1
/** Draws of the permutation test. */
export const DRAWS = 300
/** Chance of a coincidence that is accepted. A capture has some five tests. */
export const CHANCE = 0.01
/** Times as many as chance would give: a rhythm that two things share is more than chance, but not by so much. */
export const TIMES_CHANCE = 3
/** Least number of waits; fewer can be accidents of one moment. */
export const LEAST_WAITS = 3
/** A storage is held up when it waits in this share of the intervals in which it writes; the others are counter-examples. */
export const HELD_SHARE = 0.25
/** Share of the stalls that must end with the interval; below it, something else ends them. */
export const ENDED_SHARE = 0.5
/** A stall that began before an interval and ends with it waits for what ends both; this many times as many must begin inside. */
export const TIMES_BEFORE = 2
/** Stalls up to this many of its lengths before and after a large write are counted against it: behind a limit it waits like all others. */
export const AROUND = 3
/** Share of stalls around an interval, to those that began inside, above which large writes are not to blame. */
export const AROUND_SHARE = 0.5
/** Limit of the shift of an interval, in its lengths: near enough to have the load of its time. */
export const NEIGHBOURHOOD = 10
/** Limit of the tested intervals: the longest are taken, for more make the test no better. */
export const MOST_INTERVALS = 1000

/** Share of a standstill in which a storage is slow, so that one that is slow by itself at the same time is none. */
export const STANDSTILL_SHARE = 0.5
/** Share of the writes of a standstill that is slow at least: a window has edges, and some slip through. */
export const STALLED_SHARE = 0.25
/** Two storages that are slow at once can be an accident, where others write. */
export const LEAST_STORAGES = 3
/** Times as long together as by chance: less is what busy times have in common. */
export const TIMES_TOGETHER = 2
