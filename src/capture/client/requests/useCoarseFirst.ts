import type { ParamsOf, RequestName, ResponseOf } from './requests.ts'
import type { ErrorInfo } from '../state.ts'
import { useRequest, type Renewal } from './useRequest.ts'

/** Response for a part of the data, or for all of it. */
interface CoarseOutcome<Response> {
  /** The best response so far; null: none. */
  readonly response: Response | null
  /** Whether the response for all data is pending. */
  readonly isBusy: boolean
  readonly error: ErrorInfo | null
}

/**
 * For slow responses: requests a part of the data first, then all, unless the part was all (`isComplete`). `params`
 * undefined: nothing is requested.
 */
export function useCoarseFirst<Name extends RequestName>(
  name: Name,
  params: { readonly coarse: ParamsOf<Name>; readonly whole: ParamsOf<Name> } | undefined,
  isComplete: (response: ResponseOf<Name>) => boolean,
  renewal: Renewal,
): CoarseOutcome<ResponseOf<Name>> {
  const coarse = useRequest(name, params?.coarse, renewal)
  const isMany = coarse.isCurrent && coarse.response !== null && !isComplete(coarse.response)
  const whole = useRequest(name, isMany ? params?.whole : undefined, renewal)
  const response = isMany && whole.isCurrent && whole.response !== null ? whole.response : coarse.response
  return { response, isBusy: isMany && response !== whole.response, error: coarse.error ?? whole.error }
}
