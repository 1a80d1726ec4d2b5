import { skipToken, useQuery } from '@tanstack/react-query'
import { errorInfoOf } from '../../../client/requests/queries.ts'
import type { SourceId } from '../../../client/state.ts'
import { useCapture } from '../../../client/view.ts'
import type { OtherServer, OtherServers } from './other-servers.ts'

const NONE: readonly OtherServer[] = []

/** Servers other than the page's own, refreshed. */
export function useOtherServers(servers: OtherServers | null): readonly OtherServer[] {
  const { request } = useCapture()
  const { data } = useQuery({
    queryKey: ['other servers', servers, request],
    queryFn: servers === null ? skipToken : ({ signal }) => servers.list(request, signal),
    gcTime: 0,
  })
  return data ?? NONE
}

interface SourcesOf {
  readonly sources: readonly SourceId[]
  /** Why databases are missing, in a sentence; null: none is. */
  readonly trouble: string | null
}

/** Sources of another server: the server itself, and its databases. `name` null: nothing is read. */
export function useSourcesOf(servers: OtherServers | null, name: string | null): SourcesOf {
  const { data, error } = useQuery({
    queryKey: ['sources of another server', servers, name],
    queryFn: servers === null || name === null ? skipToken : ({ signal }) => databasesOn(servers, name, signal),
    gcTime: 0,
  })
  if (name === null) return { sources: [], trouble: null }
  const trouble = errorInfoOf('databases.list', error)
  return {
    sources: ['server', ...(data ?? []).map((database) => `db:${database}`)],
    trouble: trouble === null ? null : `The databases of ${name} could not be read. ${trouble.message}`,
  }
}

async function databasesOn(servers: OtherServers, name: string, signal: AbortSignal): Promise<readonly string[]> {
  const { capture, close } = servers.share(name)
  try {
    const list = await capture.request('databases.list', { have: null }, signal)
    return (list?.rows ?? []).map((row) => row.name)
  } finally {
    close()
  }
}
