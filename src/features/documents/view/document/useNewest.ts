import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../../capture/client/requests/useWanted.ts'
import { useNow } from '../../../../ui/hooks/now.ts'
import type {} from '../../../../feeds/server/contract.ts'

/**
 * Interval of reading the version, ms. An idle database is not requested: the last reading is valid until other clients
 * have activity in it.
 */
const EVERY_MS = 5000

interface Newest {
  /** Change vector on the server; null: the document no longer exists. */
  readonly changeVector: string | null
  readonly modified: string
}

/**
 * Newest version on the server, read again after each save (`known` changes) and while other clients have activity in
 * the database; null: not known (yet).
 */
export function useNewest(database: string, id: string | null, known: string): Newest | null {
  // Figures of the server show writes of other clients; its list of idle times does so only once in ten minutes.
  useWanted('server.want', id === null ? undefined : null)
  const step = Math.floor(useNow() / EVERY_MS)
  const params = id === null ? undefined : { database, id }
  const {
    response,
    error,
    isCurrent,
    params: of,
  } = useRequest('documents.version', params, {
    version: `${String(step)} ${known}`,
    everyMs: 1000,
  })
  if (!isCurrent || error !== null || of === null) return null
  return { changeVector: response?.changeVector ?? null, modified: response?.modified ?? '' }
}
