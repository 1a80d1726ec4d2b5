import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { requestOptions } from '../../capture/client/requests/queries.ts'
import { parseSourceId, type SourceId } from '../../capture/client/state.ts'
import { useCapture } from '../../capture/client/view.ts'
import { readStored, writeStored } from '../../ui/storage.ts'

/** Storage key of the sources last watched, by the server's id: another may answer at the same address. */
const keyOf = (serverId: string): string => `sources.${serverId}`

const isFile = (id: SourceId): boolean => parseSourceId(id)?.kind === 'file'

/** Sources last watched; empty: none stored, or not readable. */
export function readLastSources(serverId: string): readonly SourceId[] {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(serverId)) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.filter((id): id is SourceId => typeof id === 'string' && parseSourceId(id) !== null && !isFile(id))
  } catch {
    return []
  }
}

interface ServerIdResult {
  /** Id of the server; null: not known (yet). */
  readonly serverId: string | null
  readonly isPending: boolean
}

/** Id of the server, read with one request for the page. */
export function useServerId(enabled: boolean): ServerIdResult {
  const capture = useCapture()
  const { data, isPending } = useQuery({
    ...requestOptions(capture, 'host.serverId', null),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { serverId: data ?? null, isPending }
}

/**
 * Stores the watched sources of the server for the next visit. Files are left out, and an empty choice is not stored.
 */
export function useKeepLastSources(sources: readonly SourceId[]): void {
  const live = JSON.stringify(sources.filter((id) => !isFile(id)))
  const { serverId } = useServerId(live !== '[]')
  useEffect(() => {
    if (serverId !== null && live !== '[]') writeStored(keyOf(serverId), live)
  }, [serverId, live])
}

/**
 * Sources that a panel opens automatically: the database in scope, else those of the last choice that still exist, else
 * the only database; empty: the user must choose. `scope`: what the panel can draw.
 */
export function sourcesToOpen(
  last: readonly SourceId[],
  databases: readonly string[],
  scope: 'databases' | 'both',
  inScope: string | null,
): readonly SourceId[] {
  const names = new Set(databases.map((name) => name.toLowerCase()))
  if (inScope !== null && names.has(inScope.toLowerCase())) return [`db:${inScope}`]
  const kept = last.filter((id) => {
    const ref = parseSourceId(id)
    return ref?.kind === 'database' ? names.has(ref.name.toLowerCase()) : ref?.kind === 'server'
  })
  if (kept.some((id) => scope === 'both' || id !== 'server')) return kept
  return databases.length === 1 ? databases.map((name) => `db:${name}`) : []
}
