import { formatBytes, formatDuration, formatPlural, formatShare, type Clock } from '../base/format.ts'
import { spanFromMs } from '../base/ticks.ts'
import type { CaptureState, Meter, SourcePhase, SourceState } from '../capture/state.ts'
import type { Tone } from '../ui/Badge.tsx'

/** `less than a minute`, `4 min`, `2 h 5 min`: an age in whole minutes, or seconds below two minutes when `exact`. */
export function describeAge(ms: number, exact = false): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (exact && seconds < 120) return formatPlural(seconds, 'second')
  return seconds < 60 ? 'less than a minute' : formatDuration(spanFromMs(Math.floor(seconds / 60) * 60_000))
}

export interface MeterWords {
  /** Since the page opened. */
  readonly total: string
  /** In the last minute. */
  readonly now: string
  /** To the server, and what it did to it. */
  readonly cost: string
}

/** What looking has cost, and what it costs now. */
export function describeMeter(meter: Meter, nowMs: number): MeterWords {
  const total = [
    formatPlural(meter.requests, 'request'),
    formatBytes(meter.bytes),
    formatPlural(meter.sockets, 'socket'),
  ].join(', ')
  return {
    total: `${total} in ${describeAge(nowMs - meter.sinceMs)}`,
    now: `Looking: ${formatPlural(meter.requestsPerMinute, 'request')} and ${formatBytes(meter.bytesPerMinute)} a minute`,
    cost: `${formatShare(meter.cost.shareOfCore)} of a core, ${formatPlural(meter.cost.databasesLoaded, 'database')} loaded by it`,
  }
}

/** Of an HTTP status that says more than its number. */
const STATUS_WORDS: Readonly<Record<number, string>> = { 403: 'refused', 428: 'wants a code' }

/** How the server is, in two or three words. */
export function describeServer(state: CaptureState): { readonly tone: Tone; readonly words: string } {
  if (state.serverError !== null)
    return state.serverError.status === null
      ? { tone: 'error', words: 'no answer' }
      : { tone: 'error', words: STATUS_WORDS[state.serverError.status] ?? `HTTP ${String(state.serverError.status)}` }
  if (state.server === null) return { tone: 'busy', words: 'connecting' }
  const waiting = state.sources.filter((source) => source.phase === 'waiting').length
  if (waiting > 0) return { tone: 'warn', words: 'reconnecting' }
  return { tone: 'ok', words: 'connected' }
}

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
  paused: { tone: 'idle', word: 'paused' },
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

/** Names under which browsers tell it. */
const UTC_NAMES: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'])

/** By whose clock the times on the page are. */
export const describeClock = (clock: Clock, timeZone: string): string =>
  clock === 'utc' || UTC_NAMES.has(timeZone) ? 'Times in UTC' : `Local times, ${timeZone}`
