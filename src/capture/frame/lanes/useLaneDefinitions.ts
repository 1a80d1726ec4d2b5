import { skipToken, useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { LanesContext, type LaneDefinition } from './lane.ts'
import type { OtherServers } from './servers/other-servers.ts'

interface Loaded {
  /** By id, in the order of the app. */
  readonly definitions: ReadonlyMap<string, LaneDefinition>
  readonly servers: OtherServers | null
}

const NONE: Loaded = { definitions: new Map(), servers: null }

/** Lanes of all features and the servers that have them; empty while loading. */
export function useLaneDefinitions(): Loaded & { readonly isLoading: boolean } {
  const load = useContext(LanesContext)
  const { data, isLoading } = useQuery({
    queryKey: ['lanes', load],
    queryFn:
      load === null
        ? skipToken
        : async (): Promise<Loaded> => {
            const { LANES, SERVERS = null } = await load()
            return { definitions: new Map(LANES.map((lane) => [lane.id as string, lane])), servers: SERVERS }
          },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return { ...(data ?? NONE), isLoading }
}
