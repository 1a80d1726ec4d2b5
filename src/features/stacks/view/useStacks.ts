import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useRequest, type Requested } from '../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { StacksState } from '../../../feeds/stacks/contract/snapshots.ts'
import type { SnapshotId } from '../../../feeds/stacks/contract/ids.ts'
import type { LiveState } from '../../../feeds/stacks/contract/live.ts'

/** Snapshots, progress and failure. Cheap, so it follows every change of the capture. */
export const useStacksState = (
  version: number,
): { readonly stacks: StacksState | null; readonly error: ErrorInfo | null } => {
  const { response, error } = useRequest('stacks.state', null, { version, everyMs: 150 })
  return { stacks: response, error }
}

/** The list stays open for 15 s after it was requested. */
const WANT_EVERY_MS = 4000

/** The live list while `wanted`; its state, null until the first response and while it is not wanted. */
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
