import {
  formatBytes,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatRate,
  formatTime,
  type Clock,
} from '../../../base/text/format.ts'
import { msFromTicks, spanFromMs, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { formatBeat } from './units.ts'
import type { CpuCredits, LowMemoryEvent, ServerNow } from '../contract/now.ts'
import type { TriageItem } from '../contract/triage.ts'

/** A length of time in words of whole seconds or larger. */
export const formatSpanMs = (ms: number): string => formatBeat(spanFromMs(Math.max(0, Math.round(ms / 1000) * 1000)))

/** How long ago a moment was, to the minute once it is more than two. */
export function formatAgo(at: Ticks, now: Ticks | null): string {
  if (now === null) return ''
  const seconds = Math.max(0, Math.round((now - at) / TICKS_PER_SECOND))
  if (seconds < 120) return formatPlural(seconds, 'second')
  return formatDuration(Math.floor(seconds / 60) * 60 * TICKS_PER_SECOND)
}

/** The time of a moment, with the day where that is not today's. */
export const formatMoment = (at: Ticks, now: Ticks | null, clock: Clock): string =>
  now !== null && formatDate(now, clock) === formatDate(at, clock)
    ? formatTime(at, clock, 0)
    : formatDateTime(at, clock, 0)

/** `since 04:02:30 (12 min)` with the day where it is another; where the start is not known, `since before 04:02:30`. */
export function describeSince(item: TriageItem, now: Ticks | null, clock: Clock): string {
  if (item.sinceTicks === null) return 'start unknown'
  const ago = formatAgo(item.sinceTicks, now)
  const at = formatMoment(item.sinceTicks, now, clock)
  if (item.sinceIsBound) return `since before ${at}`
  return ago === '' ? `since ${at}` : `since ${at} (${ago})`
}

/** How busy the machine is, what its memory is like and what it answers, in one or two sentences. */
export function describeServer(now: ServerNow): string {
  const { cpu, memory, traffic } = now
  const parts: string[] = []
  if (cpu !== null)
    parts.push(
      `The machine is ${String(Math.round(cpu.machinePercent))} % busy, ${String(Math.round(cpu.processPercent))} % with this server${
        cpu.cores === null ? '' : ` on ${formatPlural(cpu.cores, 'core')}`
      }`,
    )
  if (memory !== null) parts.push(`${formatBytes(memory.availableBytes)} of its memory are available`)
  const first = parts.length === 0 ? '' : `${parts.join('; ')}.`
  if (traffic === null || traffic.requestsPerSecond === null) return first
  const latency =
    traffic.averageMs === null ? '' : `; the recent mean is ${formatDuration(spanFromMs(traffic.averageMs))}`
  return `${first} It answers ${formatPerSecond(traffic.requestsPerSecond)} requests a second${latency}.`.trim()
}

/** When credits end, or when they are full. */
export function describeCredits(credits: CpuCredits): string {
  const net = credits.gainedPerSecond - credits.usedPerSecond
  if (credits.remaining <= 0) return 'They are used up: the machine runs at its base speed.'
  if (credits.emptyInMs !== null) return `At this rate they are used up in ${formatSpanMs(credits.emptyInMs)}.`
  if (net > 0 && credits.remaining < credits.max)
    return `At this rate they are full in ${formatSpanMs(((credits.max - credits.remaining) / net) * 1000)}.`
  return 'They do not get fewer.'
}

const EVENT_WORDS: Readonly<Record<string, string>> = {
  LowMemOnTimeoutChk: 'low, found by the regular check',
  LowMemHandler: 'low, reported by the system',
  LowMemStateSimulation: 'low, simulated by a user',
  BackToNormal: 'back to normal',
  BackToNormalHandler: 'back to normal, reported by the system',
  BackToNormalSimulation: 'back to normal, simulated by a user',
}

/** The server's word where we have none of our own. */
export const describeLowMemory = ({ event }: LowMemoryEvent): string =>
  Object.hasOwn(EVENT_WORDS, event) ? (EVENT_WORDS[event] ?? event) : event

/** `up 2 d 5 h, since 2026-11-17 23:14:30`. */
export function describeUpTime({ startTicks, upTimeMs }: ServerNow['server'], clock: Clock): string | null {
  if (upTimeMs === null) return null
  const since = startTicks === null ? '' : `, since ${formatDateTime(startTicks, clock, 0)}`
  return `up ${formatSpanMs(upTimeMs)}${since}`
}

/** How old figures are, where that is worth saying; null: they are fresh. */
export function describeAge(lastReceivedMs: number | null, nowMs: number): string | null {
  if (lastReceivedMs === null) return null
  const ageMs = nowMs - lastReceivedMs
  return ageMs < STALE_MS ? null : formatSpanMs(ageMs)
}

/** Three beats of the slowest figure that arrives often. */
const STALE_MS = 20_000

/** Describes what was seen since the end of the visit before. */
export function describeVisit(now: ServerNow): string | null {
  if (now.lastVisitEndTicks === null || now.nowTicks === null) return null
  const awayMs = msFromTicks(now.nowTicks) - msFromTicks(now.lastVisitEndTicks)
  return `The visit before this one ended ${formatSpanMs(awayMs)} ago; “Fit all” shows both.`
}

/** Meaning of `≈` at a rate. */
export const ABOUT_RATES =
  'the server reports the sum of four seconds divided by three, rounded up; three quarters of it are shown, up to 0.75 a second too high for each database.'

/** A rate whose unit stands beside it. */
export const formatPerSecond = (perSecond: number): string => formatRate(perSecond).replace(' /s', '')

export const formatPercent = (percent: number): string => `${formatCount(Math.round(percent))} %`
