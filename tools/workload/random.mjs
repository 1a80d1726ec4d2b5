// @ts-check
/** Random numbers that are the same for a given seed on every machine. */

/** @typedef {() => number} Random a number from 0 up to, not including, 1 */

/**
 * @param {number} seed a whole number
 * @returns {Random}
 */
export function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Combines several numbers into a seed.
 * @param {readonly number[]} parts whole numbers
 * @returns {number}
 */
export function mix(...parts) {
  let hash = 0x811c9dc5
  for (const part of parts) {
    hash = Math.imul(hash ^ (part >>> 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  }
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} list not empty
 * @returns {T}
 */
export function pick(random, list) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)])
}

/**
 * @param {Random} random
 * @param {number} from
 * @param {number} to inclusive
 * @returns {number} a whole number
 */
export function whole(random, from, to) {
  return from + Math.floor(random() * (to - from + 1))
}
