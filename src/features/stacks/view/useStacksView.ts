import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { isFileSource } from '../../../capture/client/state.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import type { SnapshotId } from '../../../feeds/stacks/contract/ids.ts'
import type { JobRow } from '../../../feeds/stacks/contract/jobs.ts'
import type { SampleFilter } from '../../../feeds/stacks/contract/samples.ts'
import type { SnapshotInfo, StacksState } from '../../../feeds/stacks/contract/snapshots.ts'
import { choiceOf, chooseSnapshots, snapshotsOf } from './choice.ts'
import { formatSettings, formatThread, parseSettings, parseThread, type StacksSettings } from './params.ts'
import { useJobs, useLive } from './useStacks.ts'

const NO_JOBS: readonly JobRow[] = []

/** State and commands that the parts of the panel share. */
export type StacksView = ReturnType<typeof useStacksView>

export function useStacksView(stacks: StacksState) {
  const state = useCaptureState()
  const client = useCapture()
  const { failure, attempt } = useAttempt()
  const { view, change } = useView()
  const settings = parseSettings(view.params)
  /** Server or database whose threads can be requested; null: only files are chosen. */
  const source = view.sources.find((id) => !isFileSource(id)) ?? null
  const live = useLive(settings.live && source !== null, state.version)
  const { viewport, onWidth } = usePanelRange(state, NO_FOLDS)
  // Not the version of the state, which increases with each live list.
  const version = (stacks.snapshots.at(-1)?.id ?? 0) + stacks.snapshots.length + stacks.dropped

  const snapshots = snapshotsOf(stacks.snapshots, view.sources)
  const chosen = chooseSnapshots(snapshots, settings.of, viewport.range)
  const against = settings.against === null ? [] : chooseSnapshots(snapshots, settings.against, viewport.range, chosen)
  const newest = chosen.at(-1) ?? null
  const isLive = live !== null && (settings.of.type === 'latest' || snapshots.length === 0)
  const liveVersion = version + (isLive && !Number.isNaN(live.atTicks) ? live.atTicks : 0)
  const jobs = useJobs(newest?.id ?? null, isLive, liveVersion).response?.jobs ?? null

  const set = (parts: Partial<StacksSettings>, push = false): void =>
    change({ params: formatSettings(parts) }, push ? { push } : {})
  const select = (threadId: number | null): void =>
    change({ selection: threadId === null ? null : formatThread(threadId) })
  const takeSnapshot = (): void => {
    if (source === null || stacks.progress !== null) return
    if (settings.of.type !== 'latest') set({ of: { type: 'latest' } })
    void attempt('Could not take a snapshot', () => client.request('stacks.snapshot', { source }))
  }
  /** `compare`: as the other side. */
  const look = (id: SnapshotId, compare: boolean): void => {
    const found = snapshots.find((each) => each.id === id)
    if (found === undefined) return
    const choice = choiceOf(found, snapshots)
    set(compare ? { against: choice } : { of: choice }, true)
  }
  const samples = (of: readonly SnapshotInfo[]): SampleFilter => ({
    snapshots: of.map(({ id }) => id),
    jobs: settings.jobs.length === 0 ? null : settings.jobs,
    waits: settings.waits.length === 0 ? null : settings.waits,
  })
  return {
    stacks,
    state,
    settings,
    clock: view.clock,
    source,
    live,
    isLive,
    viewport,
    onWidth,
    version,
    liveVersion,
    snapshots,
    chosen,
    against,
    newest,
    jobs: jobs ?? NO_JOBS,
    hasJobs: jobs !== null,
    selectedThread: parseThread(view.selection),
    failure,
    set,
    select,
    takeSnapshot,
    look,
    samples,
  }
}
