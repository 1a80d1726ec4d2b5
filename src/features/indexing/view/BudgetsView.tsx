import { useId, useState, type ReactNode } from 'react'
import type { Clock } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { Viewport } from '../../../capture/frame/range/useViewport.ts'
import { TimelineBody } from '../../../capture/frame/lanes/TimelineBody.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { formatBatchRef } from '../../../feeds/indexing/contract/batch-ref.ts'
import { BudgetLegend } from './budgets/BudgetLegend.tsx'
import { BudgetTimeline } from './budgets/BudgetTimeline.tsx'
import { FindingList } from './budgets/FindingList.tsx'
import { MemoryCard } from './budgets/MemoryCard.tsx'
import type { IndexingPalette } from './palette.ts'
import { MOST_LANES_PX, NO_LANES_BELOW } from './pane.ts'
import styles from './panel.module.css'
import { formatSettings, type IndexingSettings } from './params.ts'
import type { BudgetMeasure } from '../contract.ts'
import type { IndexingFindingsResponse } from '../../../feeds/indexing/contract/findings.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import { useBar } from './useIndexingData.ts'

const MEASURES: readonly { readonly value: BudgetMeasure; readonly text: string; readonly title: string }[] = [
  {
    value: 'granted',
    text: 'Granted',
    title: 'The budget of the batch, measured only when it outgrew what it began with',
  },
  {
    value: 'checked',
    text: 'At last check',
    title: 'What the batch had allocated when the server last looked, every 128 documents',
  },
  { value: 'now', text: 'Now', title: 'What the thread of the index holds, from the list of threads' },
]

export interface BudgetsViewProps {
  readonly shown: readonly IndexInfo[]
  readonly settings: IndexingSettings
  readonly findings: IndexingFindingsResponse | null
  readonly viewport: Viewport
  readonly version: number
  readonly palette: IndexingPalette
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly onSet: (parts: Partial<IndexingSettings>) => void
  readonly onWidth: (widthPx: number) => void
}

/** Budgets of indexes: over time, at the cursor, and violations of their rules. */
export function BudgetsView(props: BudgetsViewProps): ReactNode {
  const { shown, settings, viewport, version, palette, clock, known, onSet } = props
  const state = useCaptureState()
  const { view, change } = useView()
  const [contentPx, setContentPx] = useState(0)
  const [most, setMost] = useState('')
  const keysId = useId()
  const range = viewport.settled
  const keys = shown.map((index) => index.key)
  const endTicks = Math.min(range.endTicks, known?.endTicks ?? range.endTicks) as Ticks
  const atTicks = settings.at ?? endTicks
  const bar = useBar(view.sources, atTicks, version)
  const setAt = (at: Ticks | null): void => onSet({ at: at === null ? null : (Math.round(at) as Ticks) })
  return (
    <>
      <div className={cx('row', styles.options)}>
        <Segmented
          label="Stacked measure"
          options={MEASURES}
          value={settings.measure}
          onChange={(measure) => onSet({ measure })}
        />
        <bdi>{most}</bdi>
        <span className={cx('note', styles.hint)}>
          A click in the chart, or M, sets the cursor; then arrows move it.
        </span>
      </div>
      <TimelineBody
        classes={{ ...styles, below: cx('stack', styles.below) }}
        contentPx={contentPx}
        mostPx={MOST_LANES_PX}
        chart={
          <BudgetTimeline
            sources={view.sources}
            indexes={keys}
            viewport={viewport}
            version={version}
            palette={palette}
            known={known}
            measure={settings.measure}
            atTicks={settings.at}
            clock={clock}
            describedBy={keysId}
            onAt={setAt}
            onWidth={props.onWidth}
            onContent={setContentPx}
            onMost={setMost}
          />
        }
        lanes={{ panel: 'indexing', preset: NO_LANES_BELOW, viewport, state }}
        sums={null}
        sideLabel="Memory at the cursor, findings"
        side={
          <>
            <FindingList
              response={props.findings}
              onShow={(finding) => {
                viewport.reveal(finding.atTicks - 5 * TICKS_PER_SECOND, 10 * TICKS_PER_SECOND)
                setAt(finding.atTicks)
              }}
              onBatch={(batch) =>
                change(
                  { selection: formatBatchRef(batch), params: formatSettings({ view: 'batches' }) },
                  { push: true },
                )
              }
            />
            <MemoryCard
              response={bar.response}
              atTicks={atTicks}
              isSet={settings.at !== null}
              clock={clock}
              palette={palette}
              onClear={() => setAt(null)}
            />
          </>
        }
      />
      <BudgetLegend palette={palette} keysId={keysId} />
    </>
  )
}
