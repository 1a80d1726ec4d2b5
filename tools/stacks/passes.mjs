// @ts-check
/**
 * Derives one consistent state of all threads from the sampler's events. The sampler suspends the process repeatedly;
 * in each suspension, a pass, it takes the stack of each managed thread. Only stacks of the same pass existed at the
 * same moment.
 */

/** @typedef {import('./nettrace.mjs').TraceEvent} TraceEvent */

const SAMPLER = 'Microsoft-DotNETCore-SampleProfiler'
const SAMPLE = 0

/**
 * @typedef {object} Sample
 * @property {number} thread number that the operating system gave it
 * @property {boolean} managed false: it was in native code, so it had called into the runtime or the system
 * @property {readonly number[]} stack addresses, the innermost first; empty for a thread without managed frames
 * @property {number} writer thread of the sampler
 * @property {number} sequence number among the writer's events, modulo 2³²
 *
 * @typedef {readonly Sample[]} Pass each thread once
 */

/** Value by which the sampler marks a thread that was in managed code. */
const MANAGED = 2

/**
 * @param {TraceEvent} event of any kind
 * @param {Uint8Array} bytes that it points into
 * @returns {Sample | undefined} undefined when it is none
 */
export function sampleOf({ provider, event, thread, captureThread, sequence, stack, start, end }, bytes) {
  if (provider !== SAMPLER || event !== SAMPLE) return undefined
  const kind = end - start >= 4 ? new DataView(bytes.buffer, bytes.byteOffset + start, 4).getUint32(0, true) : 0
  return { thread, managed: kind === MANAGED, stack, writer: captureThread, sequence }
}

/**
 * Splits samples into passes. A pass ends before the first repeated thread.
 * @param {Iterable<Sample>} samples in the order of their times
 * @returns {Pass[]}
 */
export function passesOf(samples) {
  /** @type {Sample[][]} */
  const passes = []
  const seen = new Set()
  for (const sample of samples) {
    const pass = passes.at(-1)
    if (!pass || seen.has(sample.thread)) {
      passes.push([sample])
      seen.clear()
    } else pass.push(sample)
    seen.add(sample.thread)
  }
  return passes
}

/**
 * Finds the last pass without dropped events. The sampler numbers the events it writes, so a missing number between two
 * samples of a pass, or before its first, is a sample that the runtime could not store.
 * @param {readonly Pass[]} passes
 * @returns {number} its index; -1 when there is none
 */
export function lastConsistent(passes) {
  return passes.findLastIndex((pass, index) => {
    let before = passes[index - 1]?.at(-1)
    for (const sample of pass) {
      if (before && sample.writer === before.writer && sample.sequence !== (before.sequence + 1) % 2 ** 32) return false
      before = sample
    }
    return pass.length > 0
  })
}
