import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useRequest, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { StacksState } from '../../../feeds/stacks/contract/snapshots.ts'
import type { SnapshotId } from '../../../feeds/stacks/contract/ids.ts'
import type { LiveState } from '../../../feeds/stacks/contract/live.ts'

/** Snapshots, progress and failure. Cheap, so it is refreshed with every change of the capture. */
export const useStacksState = (
  version: number,
): { readonly stacks: StacksState | null; readonly error: ErrorInfo | null } => {
  const { response, error } = useRequest('stacks.state', null, { version, everyMs: 150 })
  return { stacks: response, error }
}

/** Interval, ms: the list stays open for 15 s after each request. */
const WANT_EVERY_MS = 4000

/** State of the live list while `wanted`; null before the first response, and if not wanted. */
export function useLive(wanted: boolean, version: number): LiveState | null {
  const beat = Math.floor(useNow() / WANT_EVERY_MS)
  const { response } = useRequest('threads.want', wanted ? null : undefined, {
    version: `${version} ${beat}`,
    everyMs: 500,
  })
  return wanted ? response : null
}

export const useJobs = (snapshot: SnapshotId | null, live: boolean, version: number): Requested<'stacks.jobs'> =>
  useRequest('stacks.jobs', { snapshot, live }, { version, everyMs: 400 })
