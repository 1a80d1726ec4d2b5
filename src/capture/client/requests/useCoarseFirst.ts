import type { ParamsOf, RequestName, ResponseOf } from './requests.ts'
import type { ErrorInfo } from '../state.ts'
import { useRequest, type Renewal } from './useRequest.ts'

/** A response to a part of the data, or to all of it. */
interface CoarseOutcome<Response> {
  /** The best there is; null: none yet. */
  readonly response: Response | null
  /** All of the data is on its way. */
  readonly isBusy: boolean
  readonly error: ErrorInfo | null
}

/**
 * Where a response to all data takes long: that to a part of them first, then that to all, unless the part was all
 * (`isComplete`). `params` undefined: not requested.
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
