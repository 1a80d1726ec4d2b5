import { FrameRules } from './rules/frame-rules.ts'
import type { FrameTable } from './frames.ts'
import type { FrameId } from '../contract/ids.ts'
import type { StackLine } from '../contract/jobs.ts'
import { WAIT_KINDS } from '../contract/jobs.ts'
import { PRIMITIVES } from './rules/primitives.ts'
import { RUN_RULES } from './rules/run-rules.ts'
import { WAIT_RULES } from './rules/wait-rules.ts'

const primitives = new FrameRules(PRIMITIVES)
const waits = new FrameRules(WAIT_RULES)
const runs = new FrameRules(RUN_RULES)

/** Maximum distance from the leaf, in frames, of a call to disk or network in which the thread waits. */
const REACH = 4
/**
 * Number of frames that are checked between a primitive and its caller: the first, and one more if the first belongs to
 * the runtime.
 */
const PASSED_ON = 2

/** Evidence about a thread from the sampler and from the server's list; null or false: none. */
export interface Evidence {
  readonly pseudo: 'cpu' | 'native' | null
  /** Whether the list shows it as running. The list is a little newer than the stacks. */
  readonly isRunning: boolean
}

/**
 * Verdict on a stack in numbers: an index into `WAIT_KINDS`, and rules (−1: none). `rule` is one of `WAIT_RULES`,
 * `primitive` one of `PRIMITIVES` if only that is known.
 */
export interface Verdict {
  readonly wait: number
  readonly rule: number
  readonly primitive: number
  readonly run: number
}

const RUNNING = WAIT_KINDS.indexOf('running')
const UNKNOWN = WAIT_KINDS.indexOf('unknown')

/** `path`: innermost first, without the pseudo frame. */
export function judge(frames: FrameTable, path: readonly FrameId[], evidence: Evidence): Verdict {
  let at = 0
  let primitive = -1
  for (; at < path.length; at++) {
    const frame = path[at] as FrameId
    const found = primitives.of(frames, frame)
    if (found === -1 && !hasNoName(frames, frame)) break
    // The outermost one was called; those below it are how it waits.
    if (found !== -1 && (primitive === -1 || primitives.rule(found)?.wait !== null)) primitive = found
  }
  const run = runOf(frames, path)
  const wait = waitOf(frames, path, at, primitive !== -1, evidence)
  if (wait !== -1)
    return { wait: WAIT_KINDS.indexOf(waits.rule(wait)?.wait ?? 'unknown'), rule: wait, primitive: -1, run }
  if (primitive !== -1) {
    const reported = primitives.rule(primitive)?.wait ?? null
    return { wait: reported === null ? UNKNOWN : WAIT_KINDS.indexOf(reported), rule: -1, primitive, run }
  }
  const isBusy = evidence.pseudo === 'cpu' || evidence.isRunning
  return { wait: isBusy ? RUNNING : UNKNOWN, rule: -1, primitive: -1, run }
}

/** `from`: the first frame that is not a primitive. */
function waitOf(
  frames: FrameTable,
  path: readonly FrameId[],
  from: number,
  isWaiting: boolean,
  evidence: Evidence,
): number {
  if (isWaiting) {
    for (let at = from; at < Math.min(path.length, from + PASSED_ON); at++) {
      const rule = waits.of(frames, path[at] as FrameId)
      if (rule !== -1) return rule
      if (frames.category(path[at] as FrameId) !== 'runtime') break
    }
    return -1
  }
  for (let at = 0; at < Math.min(path.length, REACH); at++) {
    const rule = waits.of(frames, path[at] as FrameId)
    if (rule === -1) continue
    const { waiting, wait } = waits.rule(rule) ?? { waiting: true, wait: 'unknown' }
    // A system call is at the leaf; above it, running code enters or leaves it.
    if (!waiting && (at === 0 || wait === 'disk' || evidence.pseudo !== 'cpu')) return rule
  }
  return -1
}

function runOf(frames: FrameTable, path: readonly FrameId[]): number {
  for (const frame of path) {
    const rule = runs.of(frames, frame)
    if (rule !== -1) return rule
  }
  return -1
}

const hasNoName = (frames: FrameTable, frame: FrameId): boolean => frames.frame(frame).key === '?'

/** A verdict in words. */
export function lineOf({ wait, rule, primitive, run }: Verdict): StackLine {
  return {
    runs: runs.rule(run)?.runs ?? '',
    wait: WAIT_KINDS[wait] ?? 'unknown',
    waitsFor: (rule === -1 ? primitives.rule(primitive)?.waitsFor : waits.rule(rule)?.waitsFor) ?? '',
  }
}
