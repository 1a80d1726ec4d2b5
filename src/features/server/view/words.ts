import { ownCores } from '../../../base/text/cpu-shares.ts'
import { formatSpanMs } from '../../../base/text/figures.ts'
import { formatBytes, formatDateTime, formatDuration, type Clock } from '../../../base/text/format.ts'
import { describeRequests } from '../../../base/text/request-rate.ts'
import { msFromTicks, spanFromMs } from '../../../base/ticks.ts'
import type { CpuCredits, LowMemoryEvent, ServerNow } from '../../../feeds/server/contract/now.ts'

/** Describes CPU load, memory and requests of the server in one or two sentences. */
export function describeServer(now: ServerNow): string {
  const { cpu, memory, traffic } = now
  const parts: string[] = []
  if (cpu !== null)
    parts.push(
      `The machine is ${String(Math.round(cpu.machinePercent))} % busy, this server uses ${String(Math.round(cpu.processPercent))} % of ${ownCores(cpu)}`,
    )
  if (memory !== null) parts.push(`${formatBytes(memory.availableBytes)} of its memory are available`)
  const first = parts.length === 0 ? '' : `${parts.join('; ')}.`
  if (traffic === null || traffic.requestsPerSecond === null) return first
  const latency =
    traffic.averageMs === null ? '' : `; the recent mean is ${formatDuration(spanFromMs(traffic.averageMs))}`
  return `${first} It answers ${describeRequests(traffic.requestsPerSecond, traffic.oursPerSecond)}${latency}.`.trim()
}

/** Describes when the credits run out, or when they are full. */
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

/** Describes a low-memory event; an unknown event by the server's own name. */
export const describeLowMemory = ({ event }: LowMemoryEvent): string =>
  Object.hasOwn(EVENT_WORDS, event) ? (EVENT_WORDS[event] ?? event) : event

/** Describes the uptime: `up 2 d 5 h, since 2026-11-17 23:14:30`. Null: not reported. */
export function describeUpTime({ startTicks, upTimeMs }: ServerNow['server'], clock: Clock): string | null {
  if (upTimeMs === null) return null
  const since = startTicks === null ? '' : `, since ${formatDateTime(startTicks, clock, 0)}`
  return `up ${formatSpanMs(upTimeMs)}${since}`
}

/** Describes how long ago the visit before this one ended. Null: there was none. */
export function describeVisit(now: ServerNow): string | null {
  if (now.lastVisitEndTicks === null || now.nowTicks === null) return null
  const awayMs = msFromTicks(now.nowTicks) - msFromTicks(now.lastVisitEndTicks)
  return `The visit before this one ended ${formatSpanMs(awayMs)} ago; “Fit all” shows both.`
}
