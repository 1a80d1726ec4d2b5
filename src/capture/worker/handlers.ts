import type { Governor } from '../../ravendb/governor/governor.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../client/requests/requests.ts'

/** Responds to a request in the worker. A long one works in slices (`turns.ts`) and stops when `signal` says so. */
export type Handler<Name extends RequestName> = (
  params: ParamsOf<Name>,
  governor: Governor,
  signal: AbortSignal,
) => ResponseOf<Name> | Promise<ResponseOf<Name>>

export type Handlers<Names extends RequestName = RequestName> = { readonly [Name in Names]: Handler<Name> }
