import type { Summary } from '../support/studio.ts'
import { clock, msOfTicks } from './clock.ts'
import type { Fault, Step } from './plan.ts'

type Gap = Summary['gaps'][number]

/** A fault as it was played. Wall clock, ms. */
export interface Episode {
  readonly step: Step
  readonly beginMs: number
  /** End of the fault itself; infinite while it lasts. */
  endMs: number
  /** First moment with new events after it; infinite until then. */
  recoveredMs: number
}

/** A text that a page showed at one moment. */
export interface Said {
  readonly atMs: number
  readonly tab: string
  readonly text: string
}

interface Truth {
  /** Reasons of gaps that this fault may cause. */
  readonly reasons: readonly string[]
  /** Texts that pages may show while it lasts and until they have recovered; null: none. */
  readonly words: RegExp | null
  /** Time from its end to new events in the page, as far as it does not depend on how long it lasted, s. */
  readonly recoverySeconds: number
}

const NO_SERVER =
  /unresponsive|unreachable|no answer|not answer|cannot be reached|could not be reached|connection\b.*\blost|connection closed|reconnecting|connecting|requesting the reason|nothing was heard|last data/i
const REFUSED = new RegExp(
  `${NO_SERVER.source}|HTTP (403|502|503)|refuse|status 503|status 403|HTML|not accepted|did not accept`,
  'i',
)
/** A server that starts loads its databases. */
const STARTS = new RegExp(`${NO_SERVER.source}|loading|loads|not loaded|idle`, 'i')

/** The server's rings move on while no page is connected. */
const LAPPED = 'ring-lapped'
/** An index takes its list of batches with it. */
const INDEX_CHANGED = 'index-changed'

/** A server that was started again has its databases not loaded yet. */
const UNLOADED = 'database-unloaded'
/** The worker loses all that the page had recorded before. */
const WORKER = 'worker-restarted'

/** Effects that each fault may have on a page. */
const TRUTHS: Readonly<Record<Fault, Truth>> = {
  stop: { reasons: ['server-unresponsive', 'socket-closed', LAPPED], words: NO_SERVER, recoverySeconds: 15 },
  kill: {
    reasons: [UNLOADED, 'server-stopped', 'database-restarted', 'socket-closed', LAPPED],
    words: STARTS,
    recoverySeconds: 30,
  },
  terminate: {
    reasons: [UNLOADED, 'server-stopped', 'database-restarted', 'socket-closed', LAPPED],
    words: STARTS,
    recoverySeconds: 30,
  },
  'refuse-503': { reasons: ['socket-closed', LAPPED], words: REFUSED, recoverySeconds: 20 },
  'refuse-403': { reasons: ['socket-closed', LAPPED], words: REFUSED, recoverySeconds: 20 },
  'black-hole': { reasons: ['socket-closed', 'server-unresponsive', LAPPED], words: NO_SERVER, recoverySeconds: 20 },
  // Like a server that is not there: nothing accepts a connection.
  cut: { reasons: ['socket-closed', 'server-stopped', LAPPED], words: NO_SERVER, recoverySeconds: 15 },
  slow: { reasons: ['socket-closed', 'server-unresponsive', LAPPED], words: NO_SERVER, recoverySeconds: 20 },
  disable: {
    reasons: ['database-disabled', 'database-restarted', LAPPED],
    words: /disabled|requesting the reason|connecting|connection closed|loading|loads|not loaded|idle/i,
    recoverySeconds: 20,
  },
  'index-reset': {
    reasons: [LAPPED, INDEX_CHANGED, 'database-restarted', 'database-deleted'],
    words: null,
    recoverySeconds: 15,
  },
  'index-deletion': {
    reasons: [LAPPED, INDEX_CHANGED, 'database-restarted', 'database-deleted'],
    words: null,
    recoverySeconds: 15,
  },
  'tab-opened': { reasons: [], words: null, recoverySeconds: 15 },
  // A page that goes may have had the connection for others, which connect again: what the server has forgotten by then is a
  // gap of theirs.
  'tab-hidden': { reasons: ['tab-hidden', 'socket-closed', LAPPED], words: /paused|connecting/i, recoverySeconds: 15 },
  'tab-frozen': { reasons: ['tab-hidden', 'socket-closed', LAPPED], words: /paused|connecting/i, recoverySeconds: 15 },
  'tab-closed': { reasons: ['socket-closed', LAPPED], words: /connecting/i, recoverySeconds: 15 },
  'worker-killed': {
    reasons: [WORKER, 'socket-closed', LAPPED],
    words: /worker|recording|connecting/i,
    recoverySeconds: 20,
  },
}

/** Anything that a page could blame the server, its database or the network for. */
const BLAMES =
  /unresponsive|unreachable|no answer|not answer|cannot be reached|could not be reached|connection\b.*\blost|reconnecting|nothing was heard|HTTP \d{3}|refuse|disabled|not loaded|faulted|has no database|HTML page/i

/** Reports of an earlier time, which stay in view. */
const PAST = /(was unresponsive|did not answer) for \d[\d.]* (ms|s|min|h)\b/gi

/** Texts may stay for so long after new events came: states are polled every few seconds. */
const GRACE_MS = 12_000
/** A request of the fault's last moment times out 15 s later, and polls stay slow until some were answered in time, ms. */
const SLOWED_GRACE_MS = 15_000 + GRACE_MS
const SLOWED = /polls go (\d+) times slower/
/**
 * Frames come every 3 s, and what is idle is known 5 s before each heartbeat, of which one comes every 4.5 s: so what a gap
 * covers may begin before its fault and end after it.
 */
const FRAMES_MS = 9500
/** Batches are polled every 4 s at least, where the page does not say that its polls are slower; then so many times that. */
const POLL_MS = 4000
/** A text about the pace of polls counts for so long, ms. */
const PACE_MS = 30_000
/** Durations are whole ticks and times of the page whole ms. */
const TICK_MS = 1
/** Things of this time before and after a gap or a sentence may have been late, ms. */
const AROUND_MS = 15_000
/** Reasons that are never the server's fault; sources that are not in front are paused where the limit says so. */
const OURS: ReadonlySet<string> = new Set(['paused-by-rookery', 'not-watched'])
/** A socket that receives nothing is given up, or taken for a server that is unresponsive, as it is then. */
const OF_SILENCE: ReadonlySet<string> = new Set(['socket-closed', 'server-unresponsive'])
/**
 * A page gives a socket up that was silent for 15 s. Where what the listener received was late by this, a whole heartbeat,
 * the page may have waited so long: its frames go through the proxy and the browser besides, ms.
 */
const STARVED_MS = 4500
/** Retries come at most twice as late as the fault was long, and no later than this. */
const MOST_PAUSE_SECONDS = 30

/** Time from the fault's end within which new events must have been seen, ms. */
export const boundOf = ({ fault, seconds }: Step): number =>
  (TRUTHS[fault].recoverySeconds + Math.min(MOST_PAUSE_SECONDS, seconds)) * 1000

/** Greatest lateness of anything between two moments (wall clock, ms), ms. */
export type LateBetween = (fromMs: number, toMs: number) => number

/** Texts that a page showed without cause, as sentences. */
export function falseWords(reported: readonly Said[], episodes: readonly Episode[], late: LateBetween): string[] {
  const problems = new Map<string, string>()
  for (const { atMs, tab, text } of reported) {
    const wasAway = episodes.some(({ step: { fault }, beginMs }) => beginMs < atMs && TRUTHS[fault].words !== null)
    if (!BLAMES.test(wasAway ? text.replaceAll(PAST, '') : text)) continue
    const graceMs = (SLOWED.test(text) ? SLOWED_GRACE_MS : GRACE_MS) + late(atMs - AROUND_MS, atMs)
    const isTrue = episodes.some(
      ({ step: { fault }, beginMs, recoveredMs }) =>
        atMs >= beginMs && atMs <= recoveredMs + graceMs && TRUTHS[fault].words?.test(text) === true,
    )
    const key = `${tab} ${text.replaceAll(/\d+(\.\d+)?/g, 'N')}`
    if (!isTrue && !problems.has(key)) problems.set(key, `${clock(atMs)} ${tab} says without cause: ${text}`)
  }
  return [...problems.values()]
}

/** Gaps whose reason is not what happened then, or that reach far beyond it, as sentences. `reported`: for the pace of polls. `lastBatchMs`: end of the
 * last batch of an index before, −Infinity: it has none. */
export function falseGaps(
  gaps: readonly Gap[],
  episodes: readonly Episode[],
  reported: readonly Said[],
  late: LateBetween,
  lastBatchMs: (lane: string, beforeMs: number) => number,
): string[] {
  // The time of a deletion is not known for an index that was created again: it may have been right after its last batch.
  const earliestOf = ({ reason, lane }: Gap, beginMs: number): number => {
    const lastMs = reason === INDEX_CHANGED && lane !== null ? lastBatchMs(lane, beginMs) : -Infinity
    return Number.isFinite(lastMs) ? lastMs - TICK_MS : Infinity
  }
  return gaps.flatMap((gap) => {
    // The server keeps so few batches that they lap between two responses.
    if (OURS.has(gap.reason) || (gap.reason === LAPPED && gap.kind === null)) return []
    const [fromMs, toMs] = [msOfTicks(gap.startTicks), msOfTicks(gap.endTicks)]
    const pollMs = gap.lane?.startsWith('indexes:') === true ? POLL_MS * slowestOf(reported, fromMs, toMs) : 0
    const lateMs = late(fromMs - AROUND_MS, toMs + AROUND_MS)
    if (OF_SILENCE.has(gap.reason) && lateMs >= STARVED_MS) return []
    const slackMs = Math.max(FRAMES_MS, pollMs) + lateMs
    // Sources that no panel in front shows are connected again later, within the same bound.
    const backMs = ({ step, endMs, recoveredMs }: Episode): number => Math.max(recoveredMs, endMs + boundOf(step))
    const isTrue = episodes.some((episode, at) => {
      const { step, beginMs } = episode
      // The connection may still be closed since the fault before.
      const before = episodes[at - 1]
      const isSinceBefore =
        before !== undefined && TRUTHS[before.step.fault].reasons.includes('socket-closed') && backMs(before) >= beginMs
      const closedMs = isSinceBefore ? before.beginMs : beginMs
      return (
        TRUTHS[step.fault].reasons.includes(gap.reason) &&
        (fromMs >= Math.min(closedMs - slackMs, earliestOf(gap, beginMs)) || gap.reason === WORKER) &&
        toMs <= Math.min(backMs(episode), Date.now()) + slackMs
      )
    })
    if (isTrue) return []
    const during = episodes.filter((each) => each.beginMs - slackMs < toMs && each.recoveredMs > fromMs)
    const names = during.map(({ step }) => `#${step.number} ${step.fault}`).join(', ')
    const seconds = ((toMs - fromMs) / 1000).toFixed(1)
    const lastMs = gap.lane === null ? -Infinity : lastBatchMs(gap.lane, toMs)
    const last = Number.isFinite(lastMs) ? ` The last batch before its end ended at ${clock(lastMs)}.` : ''
    return [
      `A gap of ${gap.source}${gap.lane === null ? '' : `, ${gap.lane} ${gap.kind ?? ''}`} from ${clock(fromMs)} for ${seconds} s has the reason ${gap.reason}; then was: ${names === '' ? 'nothing' : names}; things were up to ${Math.round(lateMs)} ms late. ${gap.detail}${last}`,
    ]
  })
}

/** Time by which pages stretched the pause between two polls around that time, by their own report, ms. */
export const stretchedMs = (reported: readonly Said[], fromMs: number, toMs: number): number =>
  POLL_MS * (slowestOf(reported, fromMs, toMs) - 1)

/** Factor by which pages polled slower than planned around that time, by their own report. */
const slowestOf = (reported: readonly Said[], fromMs: number, toMs: number): number =>
  reported
    .filter(({ atMs }) => atMs >= fromMs - PACE_MS && atMs <= toMs + PACE_MS)
    .reduce((most, { text }) => Math.max(most, Number(SLOWED.exec(text)?.[1] ?? 1)), 1)
