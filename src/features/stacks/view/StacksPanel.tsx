import { useRef, type ReactNode } from 'react'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Toggle } from '../../../ui/controls/Toggle.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useShortcuts } from '../../../ui/hooks/useShortcuts.ts'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { FrameName } from '../../../feeds/stacks/contract/frames.ts'
import type { StacksTab } from '../contract.ts'
import type { StacksState } from '../../../feeds/stacks/contract/snapshots.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { Filters } from './Filters.tsx'
import { LiveNotice } from './LiveNotice.tsx'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import styles from './panel.module.css'
import { formatSettings } from './params.ts'
import { SnapshotBar } from './SnapshotBar.tsx'
import { stepTo } from './SnapshotSelect.tsx'
import { SnapshotSides } from './SnapshotSides.tsx'
import { StacksTabs } from './StacksTabs.tsx'
import { ThreadCard } from './threads/ThreadCard.tsx'
import { CpuOverTime } from './time/CpuOverTime.tsx'
import { useStacksState } from './useStacks.ts'
import { useStacksView, type StacksView } from './useStacksView.ts'
import { describeStacks } from './words.ts'

/** Live threads and stack snapshots of the server: a sentence, what threads wait for, the CPU, and then every detail. */
export default function StacksPanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { stacks, error } = useStacksState(state.version)
  return (
    <PanelFrame panel={panel} notices={<PanelNotices what="threads" of="files" />}>
      {stacks !== null ? (
        <Loaded stacks={stacks} />
      ) : error === null ? (
        <EmptyState title="Stacks">
          <Spinner>Loading snapshots …</Spinner>
        </EmptyState>
      ) : (
        <ErrorNotice error={error} />
      )}
    </PanelFrame>
  )
}

const TABS: readonly { readonly value: StacksTab; readonly text: string; readonly title: string }[] = [
  { value: 'threads', text: 'Threads', title: 'Every thread, by job' },
  { value: 'flame', text: 'Flame graph', title: 'All stacks merged' },
  { value: 'functions', text: 'Functions', title: 'Every function, from all callers' },
  { value: 'time', text: 'Over time', title: 'What each job waited for, snapshot by snapshot' },
]

function Loaded({ stacks }: { readonly stacks: StacksState }): ReactNode {
  const view = useStacksView(stacks)
  const { settings, snapshots, chosen, newest, source, set } = view
  const findRef = useRef<HTMLDivElement>(null)
  const areaRef = useRef<HTMLDivElement>(null)
  useShortcuts(areaRef, {
    '/': () => findRef.current?.querySelector('input')?.focus(),
    '[': () => stepTo(snapshots, chosen, -1, (of) => set({ of })),
    ']': () => stepTo(snapshots, chosen, 1, (of) => set({ of })),
  })
  const around = (frame: FrameName): void =>
    set({ tab: 'flame', direction: 'around', focus: frame.full, zoom: [], waiting: true }, true)
  // After a snapshot, its stacks need the space; in the time view the range is more important.
  const isCpuOpen = settings.cpu ?? (settings.tab === 'time' || snapshots.every(({ sampled }) => sampled === 0))
  return (
    <>
      <Head view={view} isCpuOpen={isCpuOpen} />
      <LiveNotice live={view.live} clock={view.clock} />
      {newest !== null && newest.problems.length > 0 ? (
        <Notice tone="warn" title="Not all of this snapshot could be read">
          {newest.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      ) : null}
      {source === null || !isCpuOpen ? null : <CpuOverTime view={view} />}
      {snapshots.length === 0 ? null : <SnapshotSides view={view} />}
      <div className="row" ref={findRef}>
        <Segmented label="View" options={TABS} value={settings.tab} onChange={(tab) => set({ tab }, true)} />
        <Filters settings={settings} jobs={view.jobs} onChange={set} />
      </div>
      <div
        ref={areaRef}
        className={cx('stack', styles.body)}
        data-side={view.selectedThread === null ? undefined : ''}
        tabIndex={-1}
      >
        <div className={cx('raised', styles.main)}>
          <StacksTabs view={view} onAround={around} />
        </div>
        {view.selectedThread === null ? null : (
          <SelectedThread view={view} threadId={view.selectedThread} onAround={around} />
        )}
      </div>
    </>
  )
}

/** Summary sentence, and the buttons for snapshots. */
function Head({ view, isCpuOpen }: { readonly view: StacksView; readonly isCpuOpen: boolean }): ReactNode {
  const { stacks, settings, source, chosen, newest, jobs, hasJobs, live, clock, failure, set, takeSnapshot } = view
  return (
    <>
      <PanelSentence lines={[2, 5]}>
        {hasJobs
          ? describeStacks({ jobs, snapshot: newest, snapshots: chosen.length, live, clock })
          : 'Loading threads …'}
      </PanelSentence>
      <FailureNotice stacks={stacks} clock={clock} onAgain={takeSnapshot} />
      {failure === null ? null : <ErrorNotice error={failure} />}
      <SnapshotBar stacks={stacks} source={source} onSnapshot={takeSnapshot}>
        {view.snapshots.length === 0 ? null : (
          <ExportMenu
            samples={view.samples(chosen)}
            weight={settings.weight}
            fold={settings.fold}
            at={newest?.atTicks ?? null}
          />
        )}
        {source === null ? null : (
          <>
            <Toggle
              label="Live threads"
              title="The server’s own list of threads, each second: a socket, 2 to 4 MB a minute"
              checked={settings.live}
              onChange={(on) => set({ live: on })}
            />
            <Button
              aria-expanded={isCpuOpen}
              title="CPU of the machine over time, by job, and the range of time"
              onClick={() => set({ cpu: !isCpuOpen })}
            >
              CPU chart
            </Button>
          </>
        )}
      </SnapshotBar>
    </>
  )
}

interface SelectedThreadProps {
  readonly view: StacksView
  readonly threadId: number
  readonly onAround: (frame: FrameName) => void
}

function SelectedThread({ view, threadId, onAround }: SelectedThreadProps): ReactNode {
  const { change } = useView()
  const { newest, isLive, version, liveVersion, select } = view
  const [row] =
    useRequest(
      'stacks.threads',
      {
        snapshot: newest?.id ?? null,
        live: isLive,
        jobs: null,
        waits: null,
        match: { text: '', isRegex: false },
        threadIds: [threadId],
        sort: 'id',
        descending: false,
        offset: 0,
        limit: 1,
      },
      { version: liveVersion, everyMs: 500 },
    ).response?.rows ?? []
  const showPath = (path: readonly string[]): void => {
    const all = { fold: false, direction: 'top-down' as const, jobs: [], waits: [], waiting: true }
    change({ params: formatSettings({ ...all, tab: 'flame', zoom: path }) }, { push: true })
  }
  return (
    <aside className={styles.side} aria-label="Selected">
      <ThreadCard
        key={threadId}
        threadId={threadId}
        row={row?.id === threadId ? row : null}
        snapshot={newest?.id ?? null}
        version={version}
        onClose={() => select(null)}
        onShowPath={showPath}
        onFocus={onAround}
      />
    </aside>
  )
}
