import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { parseSourceId } from '../../../../capture/client/state.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import { readMergerSpans } from '../../../../ravendb/databases/perf-metrics.ts'
import { ENDPOINTS } from '../../../../ravendb/endpoints.ts'
import { asRavenError, RavenError } from '../../../../ravendb/errors/errors.ts'
import type { IoCommitsParams, IoCommitsResponse } from '../../contract/details.ts'
import type { ReadMerger } from '../reading/merger-reader.ts'
import type { IoTrack } from '../lane-table.ts'
import type { IoStore } from '../table.ts'
import { chainCommits, sumCommits, type CommitIo } from './chain.ts'

/**
 * Combines each of a database's last transactions with the writes of the documents' environment. Transactions of a file
 * come from the file, those of a server by a request. Errors: `RavenError`, except for a database that is not loaded.
 */
export async function commitsResponse(
  store: IoStore,
  { lane: id, journalStartTicks, range }: IoCommitsParams,
  governor: Governor,
  signal: AbortSignal,
): Promise<IoCommitsResponse> {
  const lane = store.lanes.get(id)
  const ref = lane === undefined ? null : parseSourceId(lane.source)
  if (lane === undefined || ref === null || ref.kind === 'server') return { known: false, why: 'unloaded' }
  const merger = ref.kind === 'file' ? store.mergers.get(id) : await request(governor, ref.name, signal)
  if (merger === undefined) return { known: false, why: ref.kind === 'file' ? 'not-in-file' : 'unloaded' }
  const first = merger.transactions[0]
  if (first === undefined) return { known: true, commit: null, sums: null, sinceTicks: null }
  const io = (kind: string): CommitIo[] => eventsFrom(lane.tracks.get(kind), first.startTicks)
  const commits = chainCommits(merger.waits, merger.transactions, io('JournalWrite'), io('Compression'))
  return {
    known: true,
    commit: commits.find((commit) => commit.journalStartTicks === journalStartTicks) ?? null,
    sums: sumCommits(commits, range),
    sinceTicks: first.startTicks,
  }
}

/** Undefined: the database is not loaded. */
async function request(
  governor: Governor,
  database: string,
  signal: AbortSignal,
): Promise<Omit<ReadMerger, 'path'> | undefined> {
  try {
    const response = await governor.json('perfMetrics', { database }, { signal })
    const [waits, transactions] = [readMergerSpans(response, 'GeneralWait'), readMergerSpans(response, 'Transaction')]
    return { waits: waits.single, transactions: transactions.single }
  } catch (error) {
    if (error instanceof RavenError && error.kind === 'database-unloaded') return undefined
    throw asRavenError(error, ENDPOINTS.perfMetrics.route)
  }
}

/** Events since the time of the first transaction. */
function eventsFrom(track: IoTrack | undefined, ticks: number): CommitIo[] {
  const found: CommitIo[] = []
  if (track === undefined) return found
  const { events } = track
  for (let row = events.lowerBound(ticks); row < events.length; row++)
    found.push({ startTicks: events.read(START, row), durationTicks: events.read(DURATION, row) })
  return found
}
