// @ts-check
/**
 * Determines which threads were running their own code, not waiting in native code, from the sampler's mark or the
 * scheduler's figures.
 */

/** @typedef {import('./passes.mjs').Pass} Pass */
/** @typedef {ReadonlyMap<number, import('./proc.mjs').Activity>} Activities */

/**
 * Whether the runtime marks threads in managed code. .NET 9, and .NET 10 before its service release of February 2026,
 * do not set the mark: dotnet/runtime issue 123996.
 * @param {readonly number[]} version of the runtime: major, minor, build
 * @returns {boolean}
 */
export function marksThreads([major = 0, , build = 0]) {
  return major !== 9 && !(major === 10 && build < FIXED_BUILD)
}

/** Build number of 10.0.3. The hundreds digit counts the service release. */
const FIXED_BUILD = 300

/** Minimum share of a processor, while the session ran, for which a thread counts as running. */
const BUSY_SHARE = 0.25

/**
 * @typedef {object} Scheduler the threads' activity at two moments of the session
 * @property {Activities} before
 * @property {Activities} after
 * @property {number} betweenMs
 */

/**
 * Finds the threads that were running. Without marks this is a heuristic: running or ready when the scheduler was read,
 * busy before, or at another address one pass earlier. Waiting by spinning counts as running.
 * @param {Pass} pass
 * @param {Pass | undefined} earlier the pass before it
 * @param {readonly number[]} version of the runtime
 * @param {Scheduler} scheduler
 * @returns {Set<number>} threads of the pass
 */
export function runningIn(pass, earlier, version, scheduler) {
  if (marksThreads(version)) return new Set(pass.filter(({ managed }) => managed).map(({ thread }) => thread))
  const stacks = new Map(earlier?.map(({ thread, stack }) => [thread, stack]))
  const running = pass.filter(({ thread, stack }) => isActive(thread, scheduler) || differ(stack, stacks.get(thread)))
  return new Set(running.map(({ thread }) => thread))
}

/**
 * @param {number} thread
 * @param {Scheduler} scheduler
 * @returns {boolean}
 */
function isActive(thread, { before, after, betweenMs }) {
  const now = after.get(thread)
  if (now?.state === 'R') return true
  const usedNs = (now?.cpuNs ?? Number.NaN) - (before.get(thread)?.cpuNs ?? Number.NaN)
  return usedNs >= betweenMs * 1e6 * BUSY_SHARE
}

/**
 * @param {readonly number[]} stack
 * @param {readonly number[] | undefined} earlier
 * @returns {boolean} false when there is no earlier one
 */
function differ(stack, earlier) {
  return earlier !== undefined && (stack.length !== earlier.length || stack.some((ip, i) => ip !== earlier[i]))
}
