import { formatCount, formatDuration, formatPlural, formatShare } from '../base/format.ts'
import { spanFromMs } from '../base/ticks.ts'
import type { CaptureState, Meter, MeterCost, SourcePhase, SourceState } from '../capture/state.ts'
import type { Tone } from '../ui/Badge.tsx'

/** `less than a minute`, `4 min`, `2 h 5 min`: an age in whole minutes, or seconds below two minutes when `exact`. */
export function describeAge(ms: number, exact = false): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (exact && seconds < 120) return formatPlural(seconds, 'second')
  return seconds < 60 ? 'less than a minute' : formatDuration(spanFromMs(Math.floor(seconds / 60) * 60_000))
}

/** Of all pages of this browser in the last minute, as the overhead limit counts it. */
export function describeOverhead({ cost, requestsPerMinute }: Meter): string {
  const share = cost.shareOfCore + cost.otherPages.shareOfCore
  return `Overhead: ${formatShare(share)} of a core, ${formatCount(requestsPerMinute + cost.otherPages.requestsPerMinute)} req/min`
}

/** The limit that the overhead is to be compared with. */
export const formatLimit = ({ limits: { attended, background }, isAttended }: MeterCost): string =>
  isAttended
    ? `limit ${formatShare(attended)} for this panel and ${formatShare(background)} for everything else`
    : `limit ${formatShare(background)}`

/** Of an HTTP status that says more than its number. */
const STATUS_WORDS: Readonly<Record<number, string>> = { 403: 'refused', 428: 'wants a code' }

/** How the server is, in two or three words. */
export function describeServer(state: CaptureState): { readonly tone: Tone; readonly words: string } {
  if (state.serverError !== null)
    return state.serverError.status === null
      ? { tone: 'error', words: 'no answer' }
      : { tone: 'error', words: STATUS_WORDS[state.serverError.status] ?? `HTTP ${String(state.serverError.status)}` }
  if (state.server === null) return { tone: 'busy', words: 'connecting' }
  if (state.silence?.isUnresponsive === true) return { tone: 'error', words: 'unresponsive' }
  const waiting = state.sources.filter((source) => source.phase === 'waiting').length
  if (waiting > 0) return { tone: 'warn', words: 'reconnecting' }
  return { tone: state.silence === null ? 'ok' : 'warn', words: 'connected' }
}

/** How old the newest data is: `last data 6 seconds ago`. */
export const describeSilence = (sinceMs: number, nowMs: number): string =>
  `last data ${describeAge(nowMs - sinceMs, true)} ago`

const PHASES: Record<SourcePhase, { readonly tone: Tone; readonly word: string }> = {
  checking: { tone: 'busy', word: 'checking' },
  unloaded: { tone: 'idle', word: 'unloaded' },
  loading: { tone: 'busy', word: 'loading' },
  connecting: { tone: 'busy', word: 'connecting' },
  live: { tone: 'ok', word: 'live' },
  waiting: { tone: 'warn', word: 'waiting' },
  refused: { tone: 'error', word: 'refused' },
  disabled: { tone: 'warn', word: 'disabled' },
  faulted: { tone: 'error', word: 'faulted' },
  gone: { tone: 'error', word: 'gone' },
  paused: { tone: 'idle', word: 'tab hidden' },
  'paused-by-rookery': { tone: 'idle', word: 'overhead limit' },
  reading: { tone: 'busy', word: 'reading' },
  read: { tone: 'ok', word: 'file' },
  broken: { tone: 'warn', word: 'cut short' },
}

/** A chosen source that the capture does not know (yet) is named as such. */
export const describeSource = (source: SourceState | undefined): { readonly tone: Tone; readonly word: string } =>
  source === undefined ? { tone: 'idle', word: 'not here' } : PHASES[source.phase]

/** Wall clock, ms, of the last frame from any source of the server; null: there was none. */
export function lastHeardMs(state: CaptureState): number | null {
  const heard = state.sources.flatMap((source) =>
    source.ref.kind === 'file' || source.lastHeardMs === null ? [] : [source.lastHeardMs],
  )
  return heard.length === 0 ? null : Math.max(...heard)
}
