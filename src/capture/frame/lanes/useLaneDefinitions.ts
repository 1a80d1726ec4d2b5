import { skipToken, useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { LanesContext, type LaneDefinition } from './lane.ts'

const NONE: ReadonlyMap<string, LaneDefinition> = new Map()

/** Lanes of all features by id, in the order of the app; empty while they are loaded. */
export function useLaneDefinitions(): ReadonlyMap<string, LaneDefinition> {
  const load = useContext(LanesContext)
  const { data } = useQuery({
    queryKey: ['lanes', load],
    queryFn:
      load === null ? skipToken : async () => new Map((await load()).LANES.map((lane) => [lane.id as string, lane])),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}
