import { useEffect } from 'react'
import { draftStore } from '../../capture/client/drafts/useDrafts.ts'
import { readStored, writeStored } from '../../ui/storage.ts'
import { serverKeyOf, useAccess } from './session.ts'

const LAST = 'drafts.server'

/**
 * Id of the server that drafts and saved queries belong to; while it does not say it, the one that was said last at this
 * address; without any, the address of a server that answers. Null: none has answered.
 */
export function useServerKeyOrNull(): string | null {
  const access = useAccess()
  const id = access?.serverId ?? null
  useEffect(() => {
    if (id === null) return
    // Nothing of this address was kept under an id yet: what was typed before the server reported it belongs to the server.
    if (readStored(LAST) === null) void draftStore.adopt(serverKeyOf({ serverId: null }), id)
    writeStored(LAST, id)
  }, [id])
  return id ?? readStored(LAST) ?? (access === null ? null : serverKeyOf(access))
}

export const useServerKey = (): string => useServerKeyOrNull() ?? serverKeyOf({ serverId: null })
