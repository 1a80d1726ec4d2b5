import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../../capture/client/requests/useWanted.ts'
import { useNow } from '../../../../ui/hooks/now.ts'
import type {} from '../../../../feeds/server/contract.ts'

/** A database that rests is not requested: what was read holds until others have work in it. */
const EVERY_MS = 5000

interface Newest {
  /** Version that the server has; null: the document does not exist any more. */
  readonly changeVector: string | null
  readonly modified: string
}

/** The version that the server has, read again after each save (`known` changes), and while others work in the database; null: not known (yet). */
export function useNewest(database: string, id: string | null, known: string): Newest | null {
  // Its figures show that others write to the database; the server's list of idle times does so once in ten minutes.
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
