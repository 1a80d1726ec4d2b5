import { useEverySecond } from '../../../capture/client/requests/useEverySecond.ts'
import type { Requested } from '../../../capture/client/requests/useRequest.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import type { ServerWatch } from '../../../feeds/server/contract.ts'
import type {} from '../contract.ts'

/** Keeps collection of the server's figures running while the component is rendered. */
export const useServerWatch = (): ServerWatch | null => useWanted('server.want', null)
export const useServerNow = (): Requested<'server.now'> => useEverySecond('server.now', 1, ({ cpu }) => cpu !== null)

export const useTriage = (): Requested<'triage.now'> => useEverySecond('triage.now', 1, ({ hasFigures }) => hasFigures)
export const useActivity = (): Requested<'triage.activity'> =>
  useEverySecond('triage.activity', 2, ({ busiest }) => busiest !== null)
