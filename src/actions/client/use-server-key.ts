import { useEffect } from 'react'
import { draftStore } from '../../capture/client/drafts/useDrafts.ts'
import { readStored, writeStored } from '../../ui/storage.ts'
import { serverKeyOf, useAccess } from './session.ts'

const LAST = 'drafts.server'

/** Adoptions of this page, by the id: many of its parts have the key. */
const adoptions = new Map<string, Promise<boolean>>()

/**
 * Nothing of this address was kept under an id yet: what was typed before the server reported it belongs to the server. Where
 * that cannot be stored, or the page is closed meanwhile, the next page tries again.
 */
async function adopt(id: string): Promise<void> {
  const adopted = adoptions.get(id) ?? draftStore.adopt(serverKeyOf({ serverId: null }), id)
  adoptions.set(id, adopted)
  if (await adopted) writeStored(LAST, id)
}

/**
 * Id of the server that drafts and saved queries belong to; while it does not say it, the one that was said last at this
 * address; without any, the address of a server that answers. Null: none has answered.
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
