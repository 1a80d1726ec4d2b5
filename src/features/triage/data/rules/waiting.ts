import { MERGER_BUSY_SHARE } from '../../../../ravendb/limits.ts'
import { formatPlural, formatShare } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../base/ticks.ts'
import { queryKey, queryName } from '../../../../ravendb/query-key.ts'
import type { Finding, TriageRule } from '../facts.ts'
import { arrived, polledAtWork, asOf, MINUTE_MS, span, between, toQuery, toServer } from './helpers.ts'

/* Rules on queries that run long and writes that wait for their transaction. */

/**
 * Minimum duration of a stream for a finding. A stream lasts as long as its client reads, which may be long without a
 * fault.
 */
const STREAM_MS = 10 * MINUTE_MS

export const longQueries: TriageRule = {
  rule: 'long-queries',
  title: 'A query runs long',
  reason: 'It holds memory and a thread, and its client waits.',
  when: 'Reported from 30 s on; streams, which last as long as their client reads, from 10 min on and as info.',
  unknown: ({ queries }) =>
    arrived(queries, 'Running queries are unknown: their connection is down and is being reopened.'),
  find: ({ queries, queriesTicks, nowTicks }) => {
    const agoMs = queriesTicks === null ? 0 : (nowTicks - queriesTicks) / TICKS_PER_MS
    const age = agoMs < 5000 ? [] : [`As of ${span(agoMs)} ago.`]
    return (queries ?? [])
      .filter(({ runningMs, isStreaming }) => runningMs >= (isStreaming ? STREAM_MS : 30_000))
      .map(({ database, index, id, query, startTicks, runningMs, isStreaming, waitsForIndex }): Finding => ({
        about: queryKey({ database, index, id }),
        level: isStreaming ? 'info' : 'warning',
        weight: between(runningMs, 0, 10 * MINUTE_MS),
        title: `A ${isStreaming ? 'stream' : 'query'} on “${database}” has been running for ${span(runningMs)}.`,
        past: `A ${isStreaming ? 'stream' : 'query'} on “${database}” ran long.`,
        evidence: [
          query.slice(0, 200),
          index.startsWith('collection/') ? 'No index answers it: it reads the documents themselves.' : `By ${index}.`,
          ...(waitsForIndex ? ['It was asked to wait until the index has caught up.'] : []),
          ...age,
        ],
        sinceTicks: startTicks ?? (((queriesTicks ?? nowTicks) - runningMs * TICKS_PER_MS) as Ticks),
        held: asOf(queriesTicks),
        link: toQuery(queryKey({ database, index, id })),
        actsOn: { kind: 'query', database, names: [queryName(id, index)] },
      }))
  },
}

export const mergerQueue: TriageRule = {
  rule: 'merger-queue',
  title: 'Transaction merger backlog',
  reason: 'A database makes one transaction at a time of the writes that wait.',
  when: 'Reported when 100 or more waited and transactions took nine tenths of the last minute: then writers wait longer and longer.',
  samples: polledAtWork,
  unknown: ({ work }) => arrived(work, 'No data yet on which databases are in use.'),
  find: ({ work }) =>
    (work ?? []).flatMap(({ database, merger, waiting, atTicks }): Finding[] => {
      if (merger === null || waiting === null || waiting < 100) return []
      const busy = merger.busyMs / merger.spanMs
      if (busy < MERGER_BUSY_SHARE) return []
      return [
        {
          about: database,
          level: 'warning',
          weight: between(waiting, 0, 5000),
          title: `${formatPlural(waiting, 'write')} to “${database}” wait.`,
          evidence: [
            `Transactions took ${formatShare(busy)} of the last ${span(merger.spanMs)}, the longest ${span(merger.longestMs)}.`,
            `${formatPlural(merger.operations, 'write')} in ${formatPlural(merger.transactions, 'transaction')}.`,
          ],
          held: asOf(atTicks),
          link: toServer('machine', null, 'Transaction merger'),
        },
      ]
    }),
}
