/** Time, ms, that a traffic frame covers: the server sums up the last four seconds, plus the usual delay of the frame. */
export const TRAFFIC_MS = 5000
/**
 * Age, ms, of the oldest request that a traffic frame may contain. A busy server with hundreds of databases sends its
 * frames seconds later.
 */
export const LATE_MS = 10_000

/**
 * Requests per second of other clients, from the server's figure: a sum over four seconds divided by three, rounded up,
 * and corrected. Up to two requests of that sum may not exist because of the rounding. 0 if our own requests may
 * account for all of it.
 */
export function ofOthers(perSecond: number, ours: number): number {
  if (ours === 0) return perSecond
  return 4 * perSecond - 2 <= ours ? 0 : (4 * perSecond - ours) / 4
}
