import { Fields } from '../../../../base/json/fields.ts'
import type { Bytes } from '../../../../base/brand.ts'
import { parseTimeSpanMs } from '../../../../ravendb/timespan.ts'
import type { CpuCredits, LowMemoryEvent } from '../../contract/now.ts'

/*
 * Readers for the responses of inexpensive calls that complement the dashboard's socket. Errors of all: `ParseError`.
 */

export type AdminStats = ReturnType<typeof readAdminStats>

/** Reads `/admin/stats`. */
export function readAdminStats(response: unknown) {
  const body = new Fields(response)
  return { startTicks: body.ticksOrNull('StartUpTime'), upTimeMs: spanMs(body.text('UpTime')) }
}

export type AdminMetrics = ReturnType<typeof readAdminMetrics>

/** Reads `/admin/metrics`, in which only the request figures have values. */
export function readAdminMetrics(response: unknown) {
  const requests = new Fields(response).in('Requests')
  return {
    concurrentRequests: requests.number('ConcurrentRequestsCount'),
    requestsSinceStart: requests.in('RequestsPerSec').number('Count'),
    averageMs: requests.number('AverageDuration'),
  }
}

export type CreditsResponse = Omit<CpuCredits, 'atTicks' | 'emptyInMs' | 'consequences'>

/** Reads `/debug/cpu-credits`; null: the server is not configured for a burstable machine. */
export function readCredits(response: unknown): CreditsResponse | null {
  const body = new Fields(response)
  if (!body.isTrue('Used')) return null
  return {
    remaining: body.number('RemainingCpuCredits'),
    max: body.number('MaxCredits'),
    gainedPerSecond: body.number('CreditsGainedPerSecond'),
    usedPerSecond: body.number('CurrentConsumption'),
    backgroundThreshold: body.number('BackgroundTasksThreshold'),
    backgroundReleaseAt: body.number('BackgroundTasksThresholdReleaseValue'),
    failoverThreshold: body.number('FailoverThreshold'),
    failoverReleaseAt: body.number('FailoverThresholdReleaseValue'),
  }
}

/** Whether the server reports in `/debug/cpu-credits` that its machine has no credits. */
export const hasNoCredits = (response: unknown): boolean =>
  typeof response === 'object' && response !== null && 'Used' in response && response.Used === false

export interface LowMemoryLog {
  /** Events, newest first. */
  readonly events: readonly LowMemoryEvent[]
  /** Threshold in the newest event, as the server writes it: `2 GBytes`. */
  readonly thresholdText: string | null
}

/** Maximum number of events: the server keeps 256. */
const MOST_EVENTS = 256

/** Reads `/admin/debug/memory/low-mem-log`. */
export function readLowMemoryLog(response: unknown): LowMemoryLog {
  const entries = new Fields(response).each('Low Memory Events').slice(0, MOST_EVENTS)
  const events = entries.flatMap((entry): LowMemoryEvent[] => {
    const atTicks = entry.ticksOrNull('TimeOfEvent')
    if (atTicks === null) return []
    const event = entry.text('Event')
    return [
      {
        atTicks,
        event,
        isLow: !event.startsWith('BackToNormal'),
        isSimulated: event.includes('Simulation'),
        freeBytes: entry.quantityOrNull('FreeMem') as Bytes | null,
      },
    ]
  })
  return {
    events: events.toSorted((a, b) => b.atTicks - a.atTicks),
    thresholdText: entries[0]?.inOrNull('HumanlyReadSizes')?.textOrNull('Threshold') ?? null,
  }
}

export type IdleEntry = ReturnType<typeof readIdleEntry>
export type IdleResponse = ReturnType<typeof readIdle>

/** Reads `/admin/debug/databases/idle`, which lists recently used databases only. */
export function readIdle(response: unknown) {
  const body = new Fields(response)
  return {
    maxIdleMs: spanMs(body.textOrNull('MaxIdleTime')),
    sweepEveryMs: spanMs(body.textOrNull('FrequencyToCheckForIdle')),
    databases: new Map(body.each('Results').map((entry) => [entry.text('Name'), readIdleEntry(entry)])),
  }
}

const readIdleEntry = (entry: Fields) => ({
  isLoaded: entry.isTrue('IsLoaded'),
  canCleanup: entry.isTrue('CanCleanup'),
  canUnload: entry.all['CanUnload'] !== false,
  inMemory: entry.isTrue('RunInMemory'),
  activeOperations: entry.isTrue('HasActiveOperations'),
  maxIdleMs: spanMs(entry.textOrNull('MaxIdleTime')),
  loadedTicks: entry.ticksOrNull('LastRecentlyUsed'),
  lastWorkTicks: entry.ticksOrNull('LastWork'),
  changesConnections: entry.numberOrNull('NumberOfChangesApiConnections') ?? 0,
  subscriptionConnections: entry.numberOrNull('NumberOfSubscriptionConnections') ?? 0,
  sinkConnections: entry.numberOrNull('NumberOfActivePullReplicationAsSinkConnections') ?? 0,
})

export type TcpStats = ReturnType<typeof readTcpStats>

/**
 * Reads `/admin/debug/info/tcp/stats`. The counters are those of the machine and equal under both protocols; the
 * connections are not.
 */
export function readTcpStats(response: unknown) {
  const body = new Fields(response)
  const v4 = body.in('IPv4')
  const current = v4.quantityOrNull('CurrentConnections')
  const v6 = body.inOrNull('IPv6')?.quantityOrNull('CurrentConnections') ?? 0
  return {
    connections: current === null ? null : current + v6,
    receivedSegments: v4.quantityOrNull('SegmentsReceived'),
    sentSegments: v4.quantityOrNull('SegmentsSent'),
    resentSegments: v4.quantityOrNull('SegmentsResent'),
  }
}

export type Licence = ReturnType<typeof readLicence>

/** Reads `/license/status`. */
export function readLicence(response: unknown) {
  const body = new Fields(response)
  return {
    type: body.textOrNull('Type') ?? 'None',
    status: body.textOrNull('Status') ?? '',
    expired: body.isTrue('Expired'),
  }
}

export const readServerId = (response: unknown): string => new Fields(response).text('ServerId')

/** Length of a time span, ms; null: not a time span. */
function spanMs(text: string | null): number | null {
  const ms = parseTimeSpanMs(text ?? '')
  return Number.isNaN(ms) ? null : ms
}
