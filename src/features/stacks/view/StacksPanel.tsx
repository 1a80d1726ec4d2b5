import { Suspense, useRef, type ReactNode } from 'react'
import type { LaneId } from '../../../capture/frame/lanes/lane.ts'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { useShortcuts } from '../../../ui/hooks/useShortcuts.ts'
import { parseSourceId, type SourceId } from '../../../capture/client/state.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { fitRange } from '../../../charts/timeline/viewport.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { lazyPanel } from '../../../ui/lazyPanel.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Toggle } from '../../../ui/controls/Toggle.tsx'
import type { SnapshotInfo, StacksState } from '../contract/snapshots.ts'
import type { FrameName } from '../contract/frames.ts'
import type { SnapshotId } from '../contract/ids.ts'
import type { JobRow } from '../contract/jobs.ts'
import type { SampleFilter } from '../contract/samples.ts'
import { SnapshotBar } from './SnapshotBar.tsx'
import { SnapshotSelect, SnapshotSteps, stepTo } from './SnapshotSelect.tsx'
import { snapshotsOf, chooseSnapshots, choiceOf, type SnapshotChoice } from './choice.ts'
import { CpuTable } from './time/CpuTable.tsx'
import cpu from './time/cpu.module.css'
import { ExportMenu } from './ExportMenu.tsx'
import { FailureNotice } from './FailureNotice.tsx'
import { Filters } from './Filters.tsx'
import { FlameView } from './flame/FlameView.tsx'
import { FunctionsTable } from './flame/FunctionsTable.tsx'
import { LiveNotice } from './LiveNotice.tsx'
import styles from './panel.module.css'
import type { StacksTab } from '../contract/link-params.ts'
import { formatSettings, formatThread, parseSettings, parseThread, type StacksSettings } from './params.ts'
import { ThreadCard } from './threads/ThreadCard.tsx'
import { ThreadsView } from './threads/ThreadsView.tsx'
import { TimeView } from './time/TimeView.tsx'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useJobs, useLive, useStacksState } from './useStacks.ts'
import { WaitSummary } from './threads/WaitSummary.tsx'
import { countWaits, describeStacks } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'

const { Component: LanesBelow } = lazyPanel(() => import('../../../capture/frame/lanes/LanesBelow.tsx'))

const NO_JOBS: readonly JobRow[] = []
const LANES: readonly LaneId[] = ['stacks.machine', 'stacks.snapshots']
/** Lanes whose marks the panel itself shows. */
const SHOWN_HERE: readonly LaneId[] = ['stacks.snapshots']

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

const isFile = (id: SourceId): boolean => parseSourceId(id)?.kind === 'file'

const TABS: readonly { readonly value: StacksTab; readonly text: string; readonly title: string }[] = [
  { value: 'threads', text: 'Threads', title: 'Every thread, by job' },
  { value: 'flame', text: 'Flame graph', title: 'All stacks merged' },
  { value: 'functions', text: 'Functions', title: 'Every function, from all callers' },
  { value: 'time', text: 'Over time', title: 'What each job waited for, snapshot by snapshot' },
]

function Loaded({ stacks }: { readonly stacks: StacksState }): ReactNode {
  const state = useCaptureState()
  const client = useCapture()
  const { failure, attempt } = useAttempt()
  const { view, change } = useView()
  const { clock } = view
  const settings = parseSettings(view.params)
  const source = view.sources.find((id) => !isFile(id)) ?? null
  const live = useLive(settings.live && source !== null, state.version)
  const findRef = useRef<HTMLDivElement>(null)
  const areaRef = useRef<HTMLDivElement>(null)
  const { viewport, onWidth } = usePanelRange(state, NO_FOLDS)
  // Not the version of the state, which grows with each live list.
  const version = (stacks.snapshots.at(-1)?.id ?? 0) + stacks.snapshots.length + stacks.dropped

  const snapshots = snapshotsOf(stacks.snapshots, view.sources)
  const chosen = chooseSnapshots(snapshots, settings.of, viewport.range)
  const against = settings.against === null ? [] : chooseSnapshots(snapshots, settings.against, viewport.range, chosen)
  const newest = chosen.at(-1) ?? null
  const isLive = live !== null && (settings.of.type === 'latest' || snapshots.length === 0)
  const liveVersion = version + (isLive && !Number.isNaN(live.atTicks) ? live.atTicks : 0)
  const jobs = useJobs(newest?.id ?? null, isLive, liveVersion)

  const set = (parts: Partial<StacksSettings>, push = false): void =>
    change({ params: formatSettings(parts) }, push ? { push } : {})
  const selectedThread = parseThread(view.selection)
  const select = (threadId: number | null): void =>
    change({ selection: threadId === null ? null : formatThread(threadId) })
  const takeSnapshot = (): void => {
    if (source === null || stacks.progress !== null) return
    if (settings.of.type !== 'latest') set({ of: { type: 'latest' } })
    void attempt('Could not take a snapshot', () => client.request('stacks.snapshot', { source }))
  }
  const look = (id: SnapshotId, compare: boolean): void => {
    const found = snapshots.find((each) => each.id === id)
    if (found === undefined) return
    const choice: SnapshotChoice = choiceOf(found, snapshots)
    set(compare ? { against: choice } : { of: choice }, true)
  }
  const fit = (): void => {
    const times = snapshots.map(({ atTicks }) => atTicks).filter((at) => !Number.isNaN(at))
    const range = fitRange(
      times.length === 0 ? null : { startTicks: times[0] as Ticks, endTicks: times.at(-1) as Ticks },
    )
    if (range !== null) viewport.setRange(range)
  }
  const showPath = (path: readonly string[]): void => {
    const all = { fold: false, direction: 'top-down' as const, jobs: [], waits: [], waiting: true }
    change({ params: formatSettings({ ...all, tab: 'flame', zoom: path }) }, { push: true })
  }
  const around = (frame: FrameName): void =>
    set({ tab: 'flame', direction: 'around', focus: frame.full, zoom: [], waiting: true }, true)

  useShortcuts(areaRef, {
    '/': () => findRef.current?.querySelector('input')?.focus(),
    '[': () => stepTo(snapshots, chosen, -1, (of) => set({ of })),
    ']': () => stepTo(snapshots, chosen, 1, (of) => set({ of })),
  })

  const samples = (of: readonly SnapshotInfo[]): SampleFilter => ({
    snapshots: of.map(({ id }) => id),
    jobs: settings.jobs.length === 0 ? null : settings.jobs,
    waits: settings.waits.length === 0 ? null : settings.waits,
  })
  const jobRows = jobs.response?.jobs ?? NO_JOBS
  const [selectedRow] =
    useRequest(
      'stacks.threads',
      selectedThread === null
        ? undefined
        : {
            snapshot: newest?.id ?? null,
            live: isLive,
            jobs: null,
            waits: null,
            match: { text: '', isRegex: false },
            threadIds: [selectedThread],
            sort: 'id',
            descending: false,
            offset: 0,
            limit: 1,
          },
      { version: liveVersion, everyMs: 500 },
    ).response?.rows ?? []
  const nothing = snapshots.length === 0
  // After a snapshot the room belongs to its stacks; over time, the range is what one looks for.
  const isCpuOpen = settings.cpu ?? (settings.tab === 'time' || snapshots.every(({ sampled }) => sampled === 0))
  return (
    <>
      <p className={styles.sentence} role="status">
        {jobs.response === null
          ? 'Loading threads …'
          : describeStacks({ jobs: jobRows, snapshot: newest, snapshots: chosen.length, live, clock })}
      </p>
      <FailureNotice stacks={stacks} clock={clock} onAgain={takeSnapshot} />
      {failure === null ? null : <ErrorNotice error={failure} />}
      <SnapshotBar stacks={stacks} source={source} onSnapshot={takeSnapshot}>
        {nothing ? null : (
          <ExportMenu
            samples={samples(chosen)}
            weight={settings.weight}
            fold={settings.fold}
            at={newest?.atTicks ?? null}
          />
        )}
        {source === null ? null : (
          <Toggle
            label="Live threads"
            title="The server’s own list of threads, each second: a socket, 2 to 4 MB a minute"
            checked={settings.live}
            onChange={(on) => set({ live: on })}
          />
        )}
        {source === null ? null : (
          <Button
            aria-expanded={isCpuOpen}
            title="CPU of the machine over time, by job, and the range of time"
            onClick={() => set({ cpu: !isCpuOpen })}
          >
            CPU chart
          </Button>
        )}
      </SnapshotBar>
      <LiveNotice live={live} clock={clock} />
      {newest !== null && newest.problems.length > 0 ? (
        <Notice tone="warn" title="Not all of this snapshot could be read">
          {newest.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      ) : null}
      {source === null || !isCpuOpen ? null : (
        <>
          <RangeToolbar viewport={viewport} />
          <div className={cpu.cpu}>
            <CpuTable
              range={viewport.range}
              version={state.version}
              chosen={settings.jobs}
              onJob={(key) => set({ jobs: settings.jobs.includes(key) ? [] : [key] })}
            />
            <Suspense fallback={null}>
              <LanesBelow
                panel="stacks"
                preset={LANES}
                viewport={viewport}
                state={state}
                outside={
                  selectedThread === null || newest === null || Number.isNaN(newest.atTicks)
                    ? null
                    : { startTicks: newest.atTicks, durationTicks: 0, of: { thread: String(selectedThread) } }
                }
                label="CPU of the machine by job over time"
                onWidth={onWidth}
                followed={SHOWN_HERE}
              />
            </Suspense>
          </div>
        </>
      )}
      {nothing ? null : (
        <div className="row">
          <SnapshotSelect
            label="Look at"
            snapshots={snapshots}
            clock={clock}
            choice={settings.of}
            range={viewport.range}
            count={chosen.length}
            onChange={(of) => set({ of: of ?? { type: 'latest' } }, true)}
          />
          {snapshots.length === 1 && settings.against === null ? null : (
            <>
              <SnapshotSteps snapshots={snapshots} chosen={chosen} onChange={(of) => set({ of })} />
              <SnapshotSelect
                label="Compare with"
                snapshots={snapshots}
                clock={clock}
                choice={settings.against}
                range={viewport.range}
                count={against.length}
                none="Nothing"
                onChange={(next) => set({ against: next }, true)}
              />
            </>
          )}
          <WaitSummary
            counts={countWaits(jobRows)}
            chosen={settings.waits}
            onToggle={(kind) =>
              set({
                waits: settings.waits.includes(kind)
                  ? settings.waits.filter((each) => each !== kind)
                  : [...settings.waits, kind],
              })
            }
          />
        </div>
      )}
      {!nothing && chosen.length === 0 ? (
        <Notice tone="info" title="None of the snapshots that are held is the one of this link or range">
          <p>Choose one above. Snapshots stay in this page only; export them to keep them.</p>
        </Notice>
      ) : null}
      {settings.against !== null && against.length === 0 && !nothing ? (
        <Notice tone="info" title="There is no snapshot to compare with" />
      ) : null}
      <div className="row" ref={findRef}>
        <Segmented label="View" options={TABS} value={settings.tab} onChange={(tab) => set({ tab }, true)} />
        <Filters settings={settings} jobs={jobRows} onChange={set} />
      </div>
      <div
        ref={areaRef}
        className={cx('stack', styles.body)}
        data-side={selectedThread === null ? undefined : ''}
        tabIndex={-1}
      >
        <div className={cx('raised', styles.main)}>
          {settings.tab === 'threads' && jobs.response?.jobs.length === 0 ? (
            <EmptyState title="No threads are known yet">
              {source === null
                ? 'The files that are open hold no threads.'
                : settings.live
                  ? 'The first list that counts comes about two seconds after the live list is open; what keeps it is said above. A snapshot brings threads, too.'
                  : '“Live threads” above asks the server for its own list; “Take stack snapshot” brings threads with their stacks.'}
            </EmptyState>
          ) : settings.tab === 'threads' ? (
            <ThreadsView
              snapshot={newest?.id ?? null}
              live={isLive}
              jobs={jobRows}
              settings={settings}
              version={liveVersion}
              selected={selectedThread}
              onChange={set}
              onSelect={select}
            />
          ) : chosen.length === 0 ? (
            <EmptyState title="No stacks yet">
              {source === null
                ? 'The files that are open hold no stacks.'
                : 'This view needs a snapshot: “Take stack snapshot” above takes one. The thread list needs none.'}
            </EmptyState>
          ) : settings.tab === 'flame' ? (
            <FlameView
              samples={samples(chosen)}
              against={against.length === 0 ? null : samples(against)}
              settings={settings}
              version={version}
              onChange={set}
              onThread={select}
            />
          ) : settings.tab === 'functions' ? (
            <FunctionsTable
              view={{
                samples: samples(chosen),
                against: against.length === 0 ? null : samples(against),
                direction: 'top-down',
                focus: null,
                fold: false,
                weight: settings.weight,
              }}
              match={settings.find}
              version={version}
              onFocus={around}
            />
          ) : (
            <TimeView
              snapshots={snapshots}
              chosen={chosen}
              against={against}
              viewport={viewport}
              clock={clock}
              version={version}
              isTable={settings.table}
              onTable={(table) => set({ table })}
              onFit={fit}
              onSnapshot={look}
              onJob={(key) => set({ jobs: [key], tab: 'threads' }, true)}
            />
          )}
        </div>
        {selectedThread === null ? null : (
          <aside className={styles.side} aria-label="Selected">
            <ThreadCard
              key={selectedThread}
              threadId={selectedThread}
              row={selectedRow?.id === selectedThread ? selectedRow : null}
              snapshot={newest?.id ?? null}
              version={version}
              onClose={() => select(null)}
              onShowPath={showPath}
              onFocus={around}
            />
          </aside>
        )}
      </div>
    </>
  )
}
