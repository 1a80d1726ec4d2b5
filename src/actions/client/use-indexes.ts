import { databaseKey } from '../../base/text/database-key.ts'
import { useRequest, type Requested } from '../../capture/client/requests/useRequest.ts'
import { useNow } from '../../ui/hooks/now.ts'
import { isFinished } from './activity-entry.ts'
import { useActivity } from './session.ts'
import type { ActionIndex } from '../contract.ts'

const EVERY_MS = 3000

/**
 * Indexes of a loaded database, refreshed every few seconds and when an action on them has ended. With `database` null
 * nothing is requested and the last list stays. `isFresh`: requests it even if no work of the database was seen.
 */
export function useIndexList(database: string | null, isFresh = false): Requested<'actions.indexes'> {
  const step = Math.floor(useNow() / EVERY_MS)
  const over = useActivity().filter((entry) => entry.call.target.database === database && isFinished(entry)).length
  return useRequest('actions.indexes', database === null ? undefined : { database, ...(isFresh ? { isFresh } : {}) }, {
    version: `${step} ${over}`,
    everyMs: 500,
  })
}

/** Indexes of a database; null: not known, or not loaded. */
export function useIndexesToActOn(database: string | null, isFresh = false): readonly ActionIndex[] | null {
  const { response } = useIndexList(database, isFresh)
  return response?.loaded === true ? response.indexes : null
}

/** Whether a compaction that this browser started is running. */
export const useIsCompacting = (database: string): boolean =>
  useActivity().some(
    ({ call: { action, target }, state }) =>
      action === 'database.compact' &&
      databaseKey(target.database ?? '') === databaseKey(database) &&
      (state === 'sending' || state === 'running'),
  )
