import { notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import { CaptureError, type CaptureClient } from '../client.ts'
import type { ParamsOf, RequestName } from './requests.ts'
import type { ErrorInfo } from '../state.ts'

// The default, a timer, would delay each response by up to 4 ms.
notifyManager.setScheduler(queueMicrotask)

/** Creates the page's query client. Requests go to the worker, which handles the network itself. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Comparing large lists field by field costs more than drawing their visible part; typed arrays are never
        // equal.
        structuralSharing: false,
      },
    },
  })

/** Options of `useQuery` for a request, by its name and parameters. */
export const requestOptions = <Name extends RequestName>(capture: CaptureClient, name: Name, params: ParamsOf<Name>) =>
  queryOptions({
    queryKey: [name, params],
    queryFn: ({ signal }) => capture.request(name, params, signal),
  })

/** Error of a request as data; null: no error. */
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
