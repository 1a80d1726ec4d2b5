import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { requestOptions } from './queries.ts'
import type { ParamsOf, RequestName, ResponseOf } from './requests.ts'
import { useCapture } from '../view.ts'
import { WANT_EVERY_MS } from './wanted.ts'

/**
 * Makes the worker collect data while this is rendered, also in a hidden tab; `params` undefined: it does not. Null: no
 * response yet.
 */
export function useWanted<Name extends Extract<RequestName, `${string}.want`>>(
  name: Name,
  params: ParamsOf<Name> | undefined,
): ResponseOf<Name> | null {
  const capture = useCapture()
  const { data } = useQuery({
    ...requestOptions(capture, name, params as ParamsOf<Name>),
    enabled: params !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: WANT_EVERY_MS,
    refetchIntervalInBackground: true,
  })
  return data ?? null
}
