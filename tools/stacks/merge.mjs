// @ts-check
/** Form of the output: threads with the same stack share one entry, as in RavenDB's own tool. */

/**
 * @typedef {object} ThreadStack
 * @property {number} thread
 * @property {readonly string[]} frames the innermost first
 *
 * @typedef {object} Entry names are those of the wire
 * @property {number[]} ThreadIds
 * @property {readonly string[]} StackTrace the innermost first
 */

/** First line of a stack, in place of the frames of native code, which this tool does not read. */
export const NATIVE = '[Native Frames]'
export const CPU = 'CPU_TIME'

/**
 * @param {Iterable<ThreadStack>} stacks
 * @returns {Entry[]} in order of first appearance; case makes no difference between frames
 */
export function mergeStacks(stacks) {
  /** @type {Map<string, Entry>} */
  const entries = new Map()
  for (const { thread, frames } of stacks) {
    const key = JSON.stringify(frames).toLowerCase()
    const entry = entries.get(key)
    if (entry) entry.ThreadIds.push(thread)
    else entries.set(key, { ThreadIds: [thread], StackTrace: frames })
  }
  return [...entries.values()]
}

/**
 * @param {object} answer
 * @returns {string} JSON in ASCII and without line breaks: the server joins lines, and decodes by its own locale
 */
export function asciiJson(answer) {
  return JSON.stringify(answer).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
