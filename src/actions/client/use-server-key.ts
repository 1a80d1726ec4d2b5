import { useEffect } from 'react'
import { draftStore } from '../../capture/client/drafts/useDrafts.ts'
import { readStored, writeStored } from '../../ui/storage.ts'
import { serverKeyOf, useAccess } from './session.ts'

const LAST = 'drafts.server'

/** Pending adoptions of this page, by server id: many components use the key. */
const adoptions = new Map<string, Promise<boolean>>()

/**
 * Moves drafts that were stored under the address, before the server reported its id, to that id. If they cannot be
 * stored, or the page is closed, the next page tries again.
 */
async function adopt(id: string): Promise<void> {
  const adopted = adoptions.get(id) ?? draftStore.adopt(serverKeyOf({ serverId: null }), id)
  adoptions.set(id, adopted)
  if (await adopted) writeStored(LAST, id)
}

/**
 * Key of the server for drafts and saved queries: its id; until it reports that, the last id at this address; else the
 * address, if the server answers. Null: no server has answered.
 */
export function useServerKeyOrNull(): string | null {
  const access = useAccess()
  const id = access?.serverId ?? null
  useEffect(() => {
    if (id === null) return
    if (readStored(LAST) === null) void adopt(id)
    else writeStored(LAST, id)
  }, [id])
  return id ?? readStored(LAST) ?? (access === null ? null : serverKeyOf(access))
}

export const useServerKey = (): string => useServerKeyOrNull() ?? serverKeyOf({ serverId: null })
