import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useAsk, type Asked } from '../../../capture/client/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import type { StacksQueries } from '../contract.ts'
import type { StacksState } from '../contract/snapshots.ts'
import type { CaptureId } from '../contract/ids.ts'
import type { JobsAnswer } from '../contract/jobs.ts'
import type { LiveState } from '../contract/live.ts'

type Answer<Name extends keyof StacksQueries> = StacksQueries[Name]['answer']

/** A question of this feature, kept up to date. See `capture/client/useRequest.ts`. */
export const useStacksAsk = <Name extends keyof StacksQueries>(
  name: Name,
  ask: StacksQueries[Name]['ask'] | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<Answer<Name>> => useAsk<Answer<Name>>(name, ask, key, version, everyMs)

/** A question that says nothing; null would mean that it is not asked. */
const NOTHING = {}

/** Captures, progress and failure. Cheap, so it follows every change of the capture. */
export const useStacksState = (
  version: number,
): { readonly stacks: StacksState | null; readonly error: ErrorInfo | null } => {
  const { answer, error } = useAsk<StacksState>('stacks.state', NOTHING, '', version, 150)
  return { stacks: answer, error }
}

/** The list stays open for 15 s after it was asked for. */
const WANT_EVERY_MS = 4000

/** The live list while `wanted`; its state, null until the first answer and while nobody wants it. */
export function useLive(wanted: boolean, version: number): LiveState | null {
  const beat = Math.floor(useNow() / WANT_EVERY_MS)
  const { answer } = useAsk<LiveState>('threads.want', wanted ? NOTHING : null, String(beat), version, 500)
  return wanted ? answer : null
}

export const useJobs = (capture: CaptureId | null, live: boolean, version: number): Asked<JobsAnswer> =>
  useStacksAsk('stacks.jobs', { capture, live }, `${capture ?? ''} ${live}`, version, 400)
