import { useEffect } from 'react'
import { serverKeyOf, useAccess } from '../../../actions/client/session.ts'
import { readStored, writeStored } from '../../../ui/storage.ts'

const LAST = 'drafts.server'

/** Id of the server that drafts belong to; while it does not answer, of the one that answered last at this address. */
export function useServerKey(): string {
  const access = useAccess()
  const known = access === null ? null : serverKeyOf(access)
  useEffect(() => {
    if (known !== null) writeStored(LAST, known)
  }, [known])
  return known ?? readStored(LAST) ?? location.origin
}
