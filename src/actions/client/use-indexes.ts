import { useRequest } from '../../capture/client/useRequest.ts'
import { useNow } from '../../ui/hooks/now.ts'
import type { ActionIndex } from '../contract.ts'

const EVERY_MS = 3000

/** The indexes of a database that is loaded, read again every few seconds; null: not known. */
export function useIndexesToActOn(database: string): readonly ActionIndex[] | null {
  const step = Math.floor(useNow() / EVERY_MS)
  const { answer } = useRequest('actions.indexes', { database }, { version: step, everyMs: 1000 })
  return answer?.loaded === true ? answer.indexes : null
}
