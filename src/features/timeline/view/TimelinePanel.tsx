import { useId, type ReactNode } from 'react'
import { formatDuration } from '../../../base/text/format.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { AddLane } from '../../../capture/frame/lanes/AddLane.tsx'
import { headline, layoutComposed } from '../../../capture/frame/lanes/composed.ts'
import { ComposedTimeline } from '../../../capture/frame/lanes/ComposedTimeline.tsx'
import { LaneLegend } from '../../../capture/frame/lanes/LaneLegend.tsx'
import { LaneOverview } from '../../../capture/frame/lanes/LaneOverview.tsx'
import { LaneTables } from '../../../capture/frame/lanes/LaneTables.tsx'
import { SelectedMark } from '../../../capture/frame/lanes/SelectedMark.tsx'
import { ClocksOfLanes } from '../../../capture/frame/lanes/servers/ClocksOfLanes.tsx'
import { useComposed } from '../../../capture/frame/lanes/useComposed.ts'
import { GapList } from '../../../capture/frame/notices/GapList.tsx'
import { PanelNotices } from '../../../capture/frame/notices/PanelNotices.tsx'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { RangeToolbar } from '../../../capture/frame/range/RangeToolbar.tsx'
import { usePanelRange } from '../../../capture/frame/range/usePanelRange.ts'
import { NO_FOLDS } from '../../../charts/scale.ts'
import { PanelSentence } from '../../../ui/PanelSentence.tsx'
import lanePanel from '../../../ui/lane-panel.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { ExportLanes } from './ExportLanes.tsx'
import { SaveReport } from './report/SaveReport.tsx'
import { WHAT_HAPPENED } from './preset.ts'
import { PresetMenu } from './PresetMenu.tsx'
import styles from './timeline.module.css'

/** Lanes of any panels on one time axis, with a card of the selected mark and of the marks that overlap it. */
export default function TimelinePanel({ panel }: PanelProps): ReactNode {
  const state = useCaptureState()
  const { view } = useView()
  const { clock, sources } = view
  const keysId = useId()
  const composed = useComposed('timeline', WHAT_HAPPENED)
  const { viewport, known, onWidth } = usePanelRange(state, NO_FOLDS)
  const { range } = viewport
  const gaps = state.gaps.filter(({ source }) => sources.includes(source))
  const { rows } = layoutComposed(composed.lanes, composed.definitions, composed.readings)
  const words = headline(rows, range)
  return (
    <PanelFrame panel={panel} notices={<PanelNotices what="lanes" />}>
      <PanelSentence lines={[2, 3]}>
        {composed.lanes.length === 0
          ? 'No lanes on this timeline.'
          : words === ''
            ? `Nothing in ${formatDuration(range.endTicks - range.startTicks)} in view, as far as is known.`
            : `${formatDuration(range.endTicks - range.startTicks)} in view: ${words}.`}
      </PanelSentence>
      <RangeToolbar viewport={viewport}>
        <AddLane composed={composed} />
        <PresetMenu composed={composed} />
        <ExportLanes composed={composed} range={range} />
        <SaveReport composed={composed} range={range} gaps={gaps} />
      </RangeToolbar>
      {known === null ? (
        <div className={styles.overview} />
      ) : (
        <LaneOverview composed={composed} viewport={viewport} known={known} clock={clock} version={state.version} />
      )}
      <div className={cx('stack', lanePanel.body, styles.body)}>
        <div className={styles.chart}>
          {composed.lanes.length === 0 ? (
            <EmptyState title="No lanes">Add a lane, or choose a preset.</EmptyState>
          ) : (
            <ComposedTimeline
              label="Timeline"
              describedBy={keysId}
              composed={composed}
              viewport={viewport}
              clock={clock}
              version={state.version}
              gaps={gaps}
              known={null}
              onWidth={onWidth}
            />
          )}
        </div>
        <div className={styles.below}>
          <LaneTables composed={composed} range={range} clock={clock} />
        </div>
        <aside className={cx('column', lanePanel.side)} aria-label="What stands out">
          <SelectedMark composed={composed} clock={clock} />
          <ClocksOfLanes composed={composed} />
          <GapList gaps={gaps} range={range} clock={clock} />
          <LaneLegend composed={composed} />
        </aside>
      </div>
      <p id={keysId} className="note">
        Drag or arrow keys move, the wheel or + and − zoom. M focuses the longest mark, arrows step, Enter selects it:
        marks of other lanes that overlap it light up. The menu of a lane moves, resizes, folds or removes it.
      </p>
    </PanelFrame>
  )
}
