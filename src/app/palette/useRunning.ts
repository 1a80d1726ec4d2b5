import { useState } from 'react'
import { useRequest } from '../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../capture/client/requests/useWanted.ts'
import type { Operation, OperationsResponse } from '../../features/activity/contract.ts'
import type { RunningQuery } from '../../feeds/server/contract.ts'
import { isRunning } from '../../ravendb/operations-wire.ts'
import { formatPlural } from '../../base/text/format.ts'
import { listNames } from '../../base/text/list-names.ts'
import { useNow } from '../../ui/hooks/now.ts'

const OPERATIONS_EVERY_MS = 2000
const QUERIES_EVERY_MS = 1000
/** Further databases to read: none. The page requests those that it acts on, not the palette. */
const NOTHING_ELSE: readonly string[] = []

interface Running {
  readonly queries: readonly RunningQuery[]
  readonly operations: readonly Operation[]
  /** Why the list is not complete (yet), in words; null: it is. */
  readonly missing: string | null
}

/** Running queries and operations by any client, read while this is rendered. Loads no database. */
export function useRunning(): Running {
  const nowMs = useNow()
  const [round] = useState(nowMs)
  // Which databases are loaded is reported only on request.
  useWanted('server.want', null)
  const queries = useRequest('server.queries', null, {
    version: Math.floor(nowMs / QUERIES_EVERY_MS),
    everyMs: 500,
  })
  const operations = useRequest(
    'activity.operations',
    { round, also: NOTHING_ELSE },
    { version: Math.floor(nowMs / OPERATIONS_EVERY_MS), everyMs: 500 },
  )
  const running = queries.response?.running ?? null
  const missing = [
    ...(running === null ? ['Running queries: not known yet.'] : []),
    ...(operations.error === null
      ? missingOperations(operations.response)
      : ['Operations: the server did not report them.']),
  ]
  return {
    queries: running ?? [],
    operations: operations.response?.operations.filter(isRunning) ?? [],
    missing: missing.length === 0 ? null : missing.join(' '),
  }
}

/** Why operations are missing: only a few databases are read at a time. */
export function missingOperations(response: OperationsResponse | null): readonly string[] {
  if (response === null || response.loaded === null) return ['Reading the operations.']
  const { loaded, answered, resting, failed } = response
  const read = answered + resting + failed.length
  if (read < loaded) return [`Reading the operations: ${read} of ${formatPlural(loaded, 'loaded database')} so far.`]
  return failed.length === 0
    ? []
    : [`Operations of ${listNames(failed.map(({ database }) => `“${database}”`))} are not known: see Activity.`]
}
