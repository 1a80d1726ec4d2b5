// @ts-check
/** Takes a stack snapshot of all threads of a .NET process: runs a sampling session, decodes it and resolves names. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Plain } from '../say.mjs'
import { sampleStacks, socketOf } from './ipc.mjs'
import { CPU, NATIVE } from './merge.mjs'
import { readNettrace } from './nettrace.mjs'
import { lastConsistent, passesOf, sampleOf } from './passes.mjs'
import { activityOf, mappedModules } from './proc.mjs'
import { Rundown } from './rundown.mjs'
import { runningIn } from './running.mjs'

/**
 * Sampling durations to try in turn, ms. The runtime samples a thousand times per second and takes 100 ms to end a
 * session, so the first one is enough unless the machine lacks CPU.
 */
const WINDOWS_MS = [10, 250]

/**
 * @typedef {object} Named an address of the session as the rundown names it
 * @property {number} address looked up: within the instruction that was running, or that had called
 * @property {number} start of the method's code; NaN where unknown
 * @property {string} name
 *
 * @typedef {object} Picture
 * @property {import('./merge.mjs').ThreadStack[]} stacks in the sampler's order
 * @property {Named[]} named all addresses of all passes
 */

/**
 * @param {number} pid
 * @returns {Promise<Picture>}
 * @throws {Plain}
 */
export async function capture(pid) {
  const path = socketOf(pid)
  for (const windowMs of WINDOWS_MS) {
    const scheduler = { before: activityOf(pid), after: activityOf(pid), betweenMs: 0 }
    const bytes = await sampleStacks(path, async () => {
      const began = performance.now()
      scheduler.before = activityOf(pid)
      await sleep(windowMs)
      scheduler.after = activityOf(pid)
      scheduler.betweenMs = performance.now() - began
    })
    const picture = pictureOf(bytes, scheduler, mappedModules(pid))
    if (picture) return picture
  }
  throw new Plain(`The runtime took no complete sample of process ${pid} within ${WINDOWS_MS.at(-1)} ms.`)
}

/**
 * @param {Uint8Array} bytes a session's nettrace stream
 * @param {import('./running.mjs').Scheduler} scheduler
 * @param {(address: number) => string | undefined} mapped names the library whose file lies at an address
 * @returns {Picture | undefined} undefined when the session has no complete pass
 * @throws {Error} when the bytes are no such stream
 */
export function pictureOf(bytes, scheduler, mapped) {
  const rundown = new Rundown(bytes)
  /** @type {import('./passes.mjs').Sample[]} */
  const samples = []
  readNettrace(bytes, (event) => {
    const sample = sampleOf(event, bytes)
    if (sample) samples.push(sample)
    else rundown.add(event)
  })
  const passes = passesOf(samples)
  const index = lastConsistent(passes)
  const pass = passes[index]
  if (!pass) return undefined
  const symbols = rundown.symbols(addressesOf(samples), mapped)
  const running = runningIn(pass, passes[index - 1], rundown.version, scheduler)
  return {
    stacks: pass
      .filter(({ stack }) => stack.length > 0)
      .map(({ thread, stack }) => ({
        thread,
        frames: [
          running.has(thread) ? CPU : NATIVE,
          ...stack.map((ip, i) => symbols.get(lookup(ip, i))?.name ?? '?!?'),
        ],
      })),
    named: [...symbols].map(([address, { start, name }]) => ({ address, start, name })),
  }
}

/**
 * @param {readonly import('./passes.mjs').Sample[]} samples
 * @returns {Set<number>}
 */
function addressesOf(samples) {
  // Passes share most stacks, and the decoder creates one array for each.
  const stacks = new Set(samples.map(({ stack }) => stack))
  return new Set([...stacks].flatMap((stack) => stack.map(lookup)))
}

/**
 * Address to look up for a frame. All addresses but the innermost are return addresses: the call instruction is before
 * them, perhaps at the very end of a method.
 * @param {number} ip
 * @param {number} depth 0: the innermost
 * @returns {number}
 */
function lookup(ip, depth) {
  return depth === 0 ? ip : ip - 1
}
