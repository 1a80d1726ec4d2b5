import { formatCount, formatDuration, formatPlural, formatShare } from '../base/text/format.ts'
import { spanFromMs } from '../base/ticks.ts'
import {
  parseSourceId,
  sourceLabel,
  type CaptureState,
  type Meter,
  type MeterCost,
  type SourceId,
  type SourcePhase,
  type SourceState,
} from '../capture/client/state.ts'
import type { RavenErrorKind } from '../ravendb/errors/errors.ts'
import type { BadgeWord, Tone } from '../ui/Badge.tsx'

/** `less than a minute`, `4 min`, `2 h 5 min`: an age in whole minutes, or seconds below two minutes when `exact`. */
export function describeAge(ms: number, exact = false): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (exact && seconds < 120) return formatPlural(seconds, 'second')
  return seconds < 60 ? 'less than a minute' : formatDuration(spanFromMs(Math.floor(seconds / 60) * 60_000))
}

/** Overhead of all pages of this browser in the last minute, as the limit counts it. */
export function describeOverhead({ cost, requestsPerMinute }: Meter): string {
  const share = cost.shareOfCore + cost.otherPages.shareOfCore
  return `Overhead: ${formatShare(share)} of a core, ${formatCount(requestsPerMinute + cost.otherPages.requestsPerMinute)} req/min`
}

/** The limit that applies to the overhead. */
export const formatLimit = ({ limits: { attended, background }, isAttended }: MeterCost): string =>
  isAttended
    ? `limit ${formatShare(attended)} for this panel and ${formatShare(background)} for everything else`
    : `limit ${formatShare(background)}`

/** Words for errors that describe more than their HTTP status. */
const ERROR_WORDS: Readonly<Partial<Record<RavenErrorKind, string>>> = {
  refused: 'refused',
  stranger: 'refused',
  'two-factor': 'two-factor code required',
  'not-json': 'unknown response',
  unexpected: 'unknown response',
  network: 'no answer',
  timeout: 'no answer',
}

/** Whether there is no server but only files, which is not an error. */
export const hasNoServer = ({ server, serverError }: CaptureState): boolean =>
  server === null && serverError?.kind === 'no-server'

/** State of the server in two or three words. */
export function describeServer(state: CaptureState): { readonly tone: Tone; readonly words: string } {
  if (hasNoServer(state)) return { tone: 'idle', words: 'no server' }
  if (state.serverError !== null) {
    const { kind, status } = state.serverError
    const words = kind === undefined ? undefined : ERROR_WORDS[kind]
    return { tone: 'error', words: words ?? (status === null ? 'error' : `HTTP ${String(status)}`) }
  }
  if (state.server === null) return { tone: 'busy', words: 'connecting' }
  if (state.silence?.isUnresponsive === true) return { tone: 'error', words: 'unresponsive' }
  const waiting = state.sources.filter((source) => source.phase === 'waiting').length
  if (waiting > 0) return { tone: 'warn', words: 'reconnecting' }
  return { tone: state.silence === null ? 'ok' : 'warn', words: 'connected' }
}

/** How old the newest data is: `last data 6 seconds ago`. */
export const describeSilence = (sinceMs: number, nowMs: number): string =>
  `last data ${describeAge(nowMs - sinceMs, true)} ago`

/** The same for a narrow page: `6 s ago`, `4 min ago`. */
export function describeSilenceInShort(sinceMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000))
  return `${seconds < 60 ? `${String(seconds)} s` : describeAge(nowMs - sinceMs)} ago`
}

const PHASES: Record<SourcePhase, BadgeWord> = {
  checking: { tone: 'busy', word: 'checking' },
  unloaded: { tone: 'idle', word: 'unloaded' },
  loading: { tone: 'busy', word: 'loading' },
  compacting: { tone: 'busy', word: 'compacting' },
  connecting: { tone: 'busy', word: 'connecting' },
  live: { tone: 'ok', word: 'live' },
  waiting: { tone: 'warn', word: 'waiting' },
  refused: { tone: 'error', word: 'refused' },
  disabled: { tone: 'warn', word: 'disabled' },
  faulted: { tone: 'error', word: 'faulted' },
  gone: { tone: 'error', word: 'gone' },
  paused: { tone: 'idle', word: 'tab hidden' },
  'paused-by-rookery': { tone: 'idle', word: 'paused by Rookery' },
  reading: { tone: 'busy', word: 'reading' },
  read: { tone: 'ok', word: 'file' },
  broken: { tone: 'warn', word: 'truncated' },
}

/** Name of a source on screen. */
export const labelOf = (id: SourceId): string => {
  const ref = parseSourceId(id)
  return ref === null ? id : sourceLabel(ref)
}

/** State of a chosen source; a source that the capture does not know (yet) is named as such. */
export const describeSource = (source: SourceState | undefined): BadgeWord =>
  source === undefined ? { tone: 'idle', word: 'not here' } : PHASES[source.phase]

/** Wall clock, ms, of the last frame from any source of the server; null: none. */
export function lastReceivedMs(state: CaptureState): number | null {
  const received = state.sources.flatMap((source) =>
    source.ref.kind === 'file' || source.lastReceivedMs === null ? [] : [source.lastReceivedMs],
  )
  return received.length === 0 ? null : Math.max(...received)
}
