import { WAIT_KINDS, type WaitKind } from '../../../../feeds/stacks/contract/jobs.ts'

/** Pattern of a wait, in addition to its hue. */
export type WaitPattern =
  'solid' | 'one-cut' | 'cross' | 'two-cuts' | 'hatched' | 'upright' | 'dotted' | 'hollow' | 'back-hatched'

export interface WaitLook {
  readonly kind: WaitKind
  /** `Disk`. */
  readonly title: string
  /** Words after `12 threads`: `wait for the disk`. After one thread: `waits for the disk`. */
  readonly many: string
  readonly one: string
  /** Custom property of the hue. */
  readonly token: string
  readonly pattern: WaitPattern
  /** Explanation for the legend. */
  readonly meaning: string
  /** Whether a thread with this wait is idle, which is not a problem. */
  readonly isIdle: boolean
}

const look = (
  kind: WaitKind,
  title: string,
  what: string,
  pattern: WaitPattern,
  meaning: string,
  isIdle = false,
): WaitLook => ({
  kind,
  title,
  many: `wait for ${what}`,
  one: `waits for ${what}`,
  token: `--wait-${kind}`,
  pattern,
  meaning,
  isIdle,
})

const LOOKS: Readonly<Record<WaitKind, WaitLook>> = {
  running: {
    ...look('running', 'Running', '', 'solid', 'it uses a core, or would if it had one'),
    many: 'run',
    one: 'runs',
  },
  disk: look('disk', 'Disk', 'the disk', 'one-cut', 'a read, write or sync has to end first'),
  lock: look('lock', 'Lock', 'a lock', 'cross', 'another thread holds what this one needs'),
  network: look('network', 'Network', 'the network', 'two-cuts', 'another node or a client has to answer'),
  memory: look('memory', 'Memory', 'memory', 'hatched', 'garbage collection, or memory is short'),
  process: look('process', 'Process', 'another program', 'upright', 'a program that it started has to end'),
  timer: look('timer', 'Timer', 'a timer', 'dotted', 'it sleeps until its next turn', true),
  work: look('work', 'Work', 'work', 'hollow', 'there is nothing to do for it', true),
  unknown: {
    ...look('unknown', 'Unknown', '', 'back-hatched', 'no rule fits its stack, or it has none'),
    many: 'unknown',
    one: 'unknown',
  },
}

export const waitLook = (kind: WaitKind): WaitLook => LOOKS[kind]

/** Waits of threads that have work, or for which this is not known. */
export const BUSY_WAITS: readonly WaitKind[] = WAIT_KINDS.filter((kind) => !LOOKS[kind].isIdle)
export const IDLE_WAITS: readonly WaitKind[] = WAIT_KINDS.filter((kind) => LOOKS[kind].isIdle)

/** Styles in the order in which they are drawn and listed. */
export const WAIT_LOOKS: readonly WaitLook[] = WAIT_KINDS.map(waitLook)
