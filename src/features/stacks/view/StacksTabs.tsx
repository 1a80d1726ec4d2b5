import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import { fitRange } from '../../../charts/timeline/viewport.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { FrameName } from '../../../feeds/stacks/contract/frames.ts'
import { FlameView } from './flame/FlameView.tsx'
import { FunctionsTable } from './flame/FunctionsTable.tsx'
import { ThreadsView } from './threads/ThreadsView.tsx'
import { TimeView } from './time/TimeView.tsx'
import type { StacksView } from './useStacksView.ts'

interface StacksTabsProps {
  readonly view: StacksView
  readonly onAround: (frame: FrameName) => void
}

/** The view that the tab chooses. */
export function StacksTabs({ view, onAround }: StacksTabsProps): ReactNode {
  const { settings, source, jobs, hasJobs, newest, isLive, liveVersion, version, snapshots, chosen, against } = view
  const { viewport, clock, selectedThread, set, select, look, samples } = view
  const fit = (): void => {
    const times = snapshots.map(({ atTicks }) => atTicks).filter((at) => !Number.isNaN(at))
    const range = fitRange(
      times.length === 0 ? null : { startTicks: times[0] as Ticks, endTicks: times.at(-1) as Ticks },
    )
    if (range !== null) viewport.setRange(range)
  }
  return settings.tab === 'threads' && hasJobs && jobs.length === 0 ? (
    <EmptyState title="No threads are known yet">
      {source === null
        ? 'The files that are open hold no threads.'
        : settings.live
          ? 'The first list that counts comes about two seconds after the live list is open; what keeps it is said above. A snapshot brings threads, too.'
          : '“Live threads” above requests the server’s own list; “Take stack snapshot” brings threads with their stacks.'}
    </EmptyState>
  ) : settings.tab === 'threads' ? (
    <ThreadsView
      snapshot={newest?.id ?? null}
      live={isLive}
      jobs={jobs}
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
      onFocus={onAround}
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
  )
}
