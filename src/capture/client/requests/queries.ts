import { notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import { CaptureError, type CaptureClient } from '../client.ts'
import type { ParamsOf, RequestName } from './requests.ts'
import type { ErrorInfo } from '../state.ts'

// A timer, as by default, would hold each response back for up to 4 ms.
notifyManager.setScheduler(queueMicrotask)

/** The one of the page. What it requests goes to the worker, which knows by itself when the network is back. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Comparing large lists field by field costs more than drawing what is in sight of them; typed arrays are never equal.
        structuralSharing: false,
      },
    },
  })

/** A request for `useQuery`, by its name and parameters. */
export const requestOptions = <Name extends RequestName>(capture: CaptureClient, name: Name, params: ParamsOf<Name>) =>
  queryOptions({
    queryKey: [name, params],
    queryFn: ({ signal }) => capture.request(name, params, signal),
  })

/** Error of a request as data; null: there is no error. */
export const errorInfoOf = (name: string, error: Error | null): ErrorInfo | null =>
  error === null
    ? null
    : error instanceof CaptureError
      ? error.info
      : {
          endpoint: name,
          status: null,
          message: 'The view could not be computed.',
          serverMessage: error.message,
          hint: 'Collected data is kept. Reload the page if this persists.',
        }
