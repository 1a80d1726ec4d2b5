import type { Bytes } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import {
  asArray,
  asNumber,
  asObject,
  asString,
  orNull,
  unlessNegative,
  type JsonObject,
} from '../../../../base/json/check.ts'
import { parseTimeSpanMs } from '../../../../ravendb/timespan.ts'
import type { CpuCredits, LowMemoryEvent } from '../../contract.ts'
import { ticksOrNull } from './widgets.ts'

/*
 * Responses of the cheap calls that run beside the dashboard's socket. Errors of all: `ParseError`.
 */

export interface AdminStats {
  readonly startTicks: Ticks | null
  readonly upTimeMs: number | null
}

/** `/admin/stats`. */
export function readAdminStats(response: unknown): AdminStats {
  const body = asObject(response, '$')
  const upTime = parseTimeSpanMs(asString(body['UpTime'], '$.UpTime'))
  return { startTicks: ticksField(body, 'StartUpTime'), upTimeMs: Number.isNaN(upTime) ? null : upTime }
}

export interface AdminMetrics {
  readonly concurrentRequests: number
  readonly requestsSinceStart: number
  readonly averageMs: number
}

/** `/admin/metrics`: only what is of requests is fed there. */
export function readAdminMetrics(response: unknown): AdminMetrics {
  const requests = asObject(asObject(response, '$')['Requests'], '$.Requests')
  const rate = asObject(requests['RequestsPerSec'], '$.Requests.RequestsPerSec')
  return {
    concurrentRequests: asNumber(requests['ConcurrentRequestsCount'], '$.Requests.ConcurrentRequestsCount'),
    requestsSinceStart: asNumber(rate['Count'], '$.Requests.RequestsPerSec.Count'),
    averageMs: asNumber(requests['AverageDuration'], '$.Requests.AverageDuration'),
  }
}

export type CreditsResponse = Omit<CpuCredits, 'atTicks' | 'emptyInMs' | 'consequences'>

/** `/debug/cpu-credits`; null: the server is not configured for a burstable machine. */
export function readCredits(response: unknown): CreditsResponse | null {
  const body = asObject(response, '$')
  if (body['Used'] !== true) return null
  const field = (name: string): number => asNumber(body[name], `$.${name}`)
  return {
    remaining: field('RemainingCpuCredits'),
    base: field('BaseCredits'),
    max: field('MaxCredits'),
    gainedPerSecond: field('CreditsGainedPerSecond'),
    usedPerSecond: field('CurrentConsumption'),
    backgroundThreshold: field('BackgroundTasksThreshold'),
    backgroundReleaseAt: field('BackgroundTasksThresholdReleaseValue'),
    failoverThreshold: field('FailoverThreshold'),
    failoverReleaseAt: field('FailoverThresholdReleaseValue'),
  }
}

/** Of `/debug/cpu-credits`: the server says that its machine has none. */
export const hasNoCredits = (response: unknown): boolean =>
  typeof response === 'object' && response !== null && 'Used' in response && response.Used === false

export interface LowMemoryLog {
  /** Newest first. */
  readonly events: readonly LowMemoryEvent[]
  /** Of the newest event, as the server words it: `2 GBytes`. */
  readonly thresholdText: string | null
}

/** The server keeps 256; more would be a mistake. */
const MOST_EVENTS = 256

/** `/admin/debug/memory/low-mem-log`. */
export function readLowMemoryLog(response: unknown): LowMemoryLog {
  const list = asArray(asObject(response, '$')['Low Memory Events'], '$["Low Memory Events"]').slice(0, MOST_EVENTS)
  const entries = list.map((entry, row) => asObject(entry, `$["Low Memory Events"][${row}]`))
  const events = entries.flatMap((entry): LowMemoryEvent[] => {
    const atTicks = ticksField(entry, 'TimeOfEvent')
    if (atTicks === null) return []
    const event = asString(entry['Event'], '$…Event')
    const size = (name: string): Bytes | null => unlessNegative(entry[name], `$…${name}`) as Bytes | null
    return [
      {
        atTicks,
        event,
        isLow: !event.startsWith('BackToNormal'),
        isSimulated: event.includes('Simulation'),
        freeBytes: size('FreeMem'),
        commitBytes: size('CurrentCommitCharge'),
        unmanagedBytes: size('TotalUnmanaged'),
        dirtyScratchBytes: size('TotalScratchDirty'),
      },
    ]
  })
  const sizes = orNull(asObject, entries[0]?.['HumanlyReadSizes'], '$…HumanlyReadSizes')
  return {
    events: events.toSorted((a, b) => b.atTicks - a.atTicks),
    thresholdText: orNull(asString, sizes?.['Threshold'], '$…Threshold'),
  }
}

export interface IdleEntry {
  readonly isLoaded: boolean
  readonly canCleanup: boolean
  readonly canUnload: boolean
  readonly inMemory: boolean
  readonly activeOperations: boolean
  readonly maxIdleMs: number | null
  readonly loadedTicks: Ticks | null
  readonly lastWorkTicks: Ticks | null
  readonly changesConnections: number
  readonly subscriptionConnections: number
  readonly sinkConnections: number
  readonly explanations: readonly string[]
}

export interface IdleResponse {
  readonly maxIdleMs: number | null
  readonly sweepEveryMs: number | null
  readonly databases: ReadonlyMap<string, IdleEntry>
}

/** `/admin/debug/databases/idle`: recently used databases only. */
export function readIdle(response: unknown): IdleResponse {
  const body = asObject(response, '$')
  const databases = new Map<string, IdleEntry>()
  for (const [row, item] of asArray(body['Results'], '$.Results').entries()) {
    const path = `$.Results[${row}]`
    const entry = asObject(item, path)
    const count = (name: string): number => orNull(asNumber, entry[name], `${path}.${name}`) ?? 0
    databases.set(asString(entry['Name'], `${path}.Name`), {
      isLoaded: entry['IsLoaded'] === true,
      canCleanup: entry['CanCleanup'] === true,
      canUnload: entry['CanUnload'] !== false,
      inMemory: entry['RunInMemory'] === true,
      activeOperations: entry['HasActiveOperations'] === true,
      maxIdleMs: spanField(entry, 'MaxIdleTime'),
      loadedTicks: ticksField(entry, 'LastRecentlyUsed'),
      lastWorkTicks: ticksField(entry, 'LastWork'),
      changesConnections: count('NumberOfChangesApiConnections'),
      subscriptionConnections: count('NumberOfSubscriptionConnections'),
      sinkConnections: count('NumberOfActivePullReplicationAsSinkConnections'),
      explanations: (orNull(asArray, entry['Explanations'], `${path}.Explanations`) ?? []).map((text) =>
        asString(text, `${path}.Explanations[]`),
      ),
    })
  }
  return {
    maxIdleMs: spanField(body, 'MaxIdleTime'),
    sweepEveryMs: spanField(body, 'FrequencyToCheckForIdle'),
    databases,
  }
}

export interface TcpStats {
  readonly connections: number | null
  readonly receivedSegments: number | null
  readonly sentSegments: number | null
  readonly resentSegments: number | null
}

/** `/admin/debug/info/tcp/stats`. The counters are of the machine and equal under both protocols; connections are not. */
export function readTcpStats(response: unknown): TcpStats {
  const body = asObject(response, '$')
  const v4 = asObject(body['IPv4'], '$.IPv4')
  const v6 = orNull(asObject, body['IPv6'], '$.IPv6') ?? {}
  const field = (of: JsonObject, name: string): number | null => unlessNegative(of[name], `$…${name}`)
  const current = field(v4, 'CurrentConnections')
  return {
    connections: current === null ? null : current + (field(v6, 'CurrentConnections') ?? 0),
    receivedSegments: field(v4, 'SegmentsReceived'),
    sentSegments: field(v4, 'SegmentsSent'),
    resentSegments: field(v4, 'SegmentsResent'),
  }
}

export interface Licence {
  readonly type: string
  readonly status: string
  readonly expired: boolean
  readonly maxCores: number | null
  readonly maxMemoryGb: number | null
}

/** `/license/status`. */
export function readLicence(response: unknown): Licence {
  const body = asObject(response, '$')
  return {
    type: orNull(asString, body['Type'], '$.Type') ?? 'None',
    status: orNull(asString, body['Status'], '$.Status') ?? '',
    expired: body['Expired'] === true,
    maxCores: orNull(asNumber, body['MaxCores'], '$.MaxCores'),
    maxMemoryGb: orNull(asNumber, body['MaxMemory'], '$.MaxMemory'),
  }
}

export const readServerId = (response: unknown): string => asString(asObject(response, '$')['ServerId'], '$.ServerId')

const ticksField = (object: JsonObject, name: string): Ticks | null =>
  ticksOrNull(orNull(asString, object[name], `$…${name}`))

function spanField(object: JsonObject, name: string): number | null {
  const text = orNull(asString, object[name], `$…${name}`)
  const ms = text === null ? Number.NaN : parseTimeSpanMs(text)
  return Number.isNaN(ms) ? null : ms
}
