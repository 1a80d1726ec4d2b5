import { useEffect } from 'react'
import { readStored, writeStored } from '../../ui/storage.ts'
import { serverKeyOf, useAccess } from './session.ts'

const LAST = 'drafts.server'

/** Id of the server that drafts and saved queries belong to; while it does not answer, of the one that answered last at this address; null: none has. */
export function useServerKeyOrNull(): string | null {
  const access = useAccess()
  const known = access === null ? null : serverKeyOf(access)
  useEffect(() => {
    if (known !== null) writeStored(LAST, known)
  }, [known])
  return known ?? readStored(LAST)
}

export const useServerKey = (): string => useServerKeyOrNull() ?? serverKeyOf({ serverId: null })
