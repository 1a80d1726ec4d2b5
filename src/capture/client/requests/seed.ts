import type { QueryCache, QueryClient } from '@tanstack/react-query'
import type { PushedResponse } from './first-picture.ts'

/** A panel's request for one version of the data. */
export interface Wanted<Name, Params> {
  readonly name: Name
  readonly params: Params
  /** Text of `params`, equal for equal ones. */
  readonly key: string
  readonly version: number | string
}

/** A response with its request. */
export interface Held<Params, Response> {
  readonly response: Response
  readonly to: Wanted<string, Params>
}

/** Time, ms, after which an unused pushed response is dropped: the parameters differed from the expected ones. */
const UNUSED_MS = 2000

export const keyOf = (params: unknown): string => JSON.stringify(params)

/** Hash of the query key, computed once for parameters that stay the same. */
export const queryHashOf = ({ name, version, key }: Wanted<string, unknown>): string => `${name} ${version} ${key}`

/** Puts pushed responses into the cache, so that the components that request them render with them at once. */
export function seedQueries(queries: QueryClient, version: number, pushed: readonly PushedResponse[]): void {
  for (const { name, params, response } of pushed) {
    const to: Wanted<string, unknown> = { name, params, key: keyOf(params), version }
    const held: Held<unknown, unknown> = { response, to }
    queries
      .getQueryCache()
      .build(queries, { queryKey: [name, to], queryHash: queryHashOf(to), gcTime: UNUSED_MS })
      .setData(held, { manual: true })
  }
}

/** Whether the cache has a response. */
export const isSeeded = (cache: QueryCache, wanted: Wanted<string, unknown>): boolean =>
  cache.get(queryHashOf(wanted))?.state.data !== undefined
