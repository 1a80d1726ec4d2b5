import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { parseSourceId } from '../../../../capture/client/state.ts'
import type { Governor } from '../../../../ravendb/budget/governor.ts'
import { readMergerSpans } from '../../../../ravendb/databases/perf-metrics.ts'
import { ENDPOINTS } from '../../../../ravendb/endpoints.ts'
import { asRavenError, RavenError } from '../../../../ravendb/http/errors.ts'
import type { IoCommitsParams, IoCommitsResponse } from '../../contract/details.ts'
import type { IoTrack } from '../lane-table.ts'
import type { IoStore } from '../table.ts'
import { chainCommits, sumCommits, type CommitIo } from './chain.ts'

/**
 * Asks a loaded database for its last transactions and puts each in order with what the documents' environment wrote. Errors:
 * `RavenError`, but for a database that is not loaded.
 */
export async function commitsResponse(
  store: IoStore,
  { lane: id, journalStartTicks, range }: IoCommitsParams,
  governor: Governor,
  signal: AbortSignal,
): Promise<IoCommitsResponse> {
  const lane = store.lanes.get(id)
  const ref = lane === undefined ? null : parseSourceId(lane.source)
  if (lane === undefined || ref?.kind !== 'database') return { loaded: false }
  const response = await ask(governor, ref.name, signal)
  if (response === null) return { loaded: false }
  const [waits, work] = [readMergerSpans(response, 'GeneralWait'), readMergerSpans(response, 'Transaction')]
  const first = work.single[0]
  if (first === undefined) return { loaded: true, commit: null, sums: null, sinceTicks: null }
  const io = (kind: string): CommitIo[] => eventsFrom(lane.tracks.get(kind), first.startTicks)
  const commits = chainCommits(waits.single, work.single, io('JournalWrite'), io('Compression'))
  return {
    loaded: true,
    commit: commits.find((commit) => commit.journalStartTicks === journalStartTicks) ?? null,
    sums: sumCommits(commits, range),
    sinceTicks: first.startTicks,
  }
}

/** Null: it is not loaded. */
async function ask(governor: Governor, database: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await governor.json('perfMetrics', { database }, { signal })
  } catch (error) {
    if (error instanceof RavenError && error.kind === 'database-unloaded') return null
    throw asRavenError(error, ENDPOINTS.perfMetrics.route)
  }
}

/** Of the times that the transactions are of: at most a few hundred. */
function eventsFrom(track: IoTrack | undefined, ticks: number): CommitIo[] {
  const found: CommitIo[] = []
  if (track === undefined) return found
  const { events } = track
  for (let row = events.lowerBound(ticks); row < events.length; row++)
    found.push({ startTicks: events.read(START, row), durationTicks: events.read(DURATION, row) })
  return found
}
