import type { ReactNode } from 'react'
import type { LaneId } from '../../../../capture/frame/lanes/lane.ts'
import { LazyLanesBelow } from '../../../../capture/frame/lanes/LazyLanesBelow.tsx'
import { RangeToolbar } from '../../../../capture/frame/range/RangeToolbar.tsx'
import type { StacksView } from '../useStacksView.ts'
import { CpuTable } from './CpuTable.tsx'
import styles from './cpu.module.css'

const LANES: readonly LaneId[] = ['stacks.machine', 'stacks.snapshots']
/** Lanes whose marks the panel itself shows. */
const SHOWN_HERE: readonly LaneId[] = ['stacks.snapshots']

/** CPU of the machine by job, snapshots and added lanes over time, with the range controls. */
export function CpuOverTime({ view }: { readonly view: StacksView }): ReactNode {
  const { viewport, onWidth, state, settings, newest, selectedThread, set } = view
  return (
    <>
      <RangeToolbar viewport={viewport} />
      <div className={styles.cpu}>
        <CpuTable
          range={viewport.range}
          version={state.version}
          chosen={settings.jobs}
          onJob={(key) => set({ jobs: settings.jobs.includes(key) ? [] : [key] })}
        />
        <LazyLanesBelow
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
      </div>
    </>
  )
}
