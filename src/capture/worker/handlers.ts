import type { Governor } from '../../ravendb/governor/governor.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../client/requests/requests.ts'

/** Handles a request in the worker. Long work runs in slices (`turns.ts`) and stops when `signal` is aborted. */
export type Handler<Name extends RequestName> = (
  params: ParamsOf<Name>,
  governor: Governor,
  signal: AbortSignal,
) => ResponseOf<Name> | Promise<ResponseOf<Name>>

export type Handlers<Names extends RequestName = RequestName> = { readonly [Name in Names]: Handler<Name> }
