import { useId, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { toggled } from '../../../capture/client/param-text.ts'
import type { Gap } from '../../../capture/client/state.ts'
import type { LaneRelations } from '../../../capture/frame/lanes/lane.ts'
import { TimelineBody } from '../../../capture/frame/lanes/TimelineBody.tsx'
import { useWalk } from '../../../capture/frame/lanes/useWalk.ts'
import type { Viewport } from '../../../capture/frame/range/useViewport.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useView } from '../../../capture/client/view.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { useSteady } from '../../../ui/hooks/useSteady.ts'
import { BatchRows } from './details/BatchRows.tsx'
import { formatBatchRef, parseBatchRef, sameBatch, splitIndexKey } from '../../../feeds/indexing/contract/batch-ref.ts'
import { BatchTimeline } from './timeline/BatchTimeline.tsx'
import { IndexTable } from './details/IndexTable.tsx'
import { IndexFacts } from './details/IndexFacts.tsx'
import { LargestList } from './details/LargestList.tsx'
import { Legend } from './timeline/Legend.tsx'
import { OperationTable } from './details/OperationTable.tsx'
import type { IndexingPalette } from './palette.ts'
import { MOST_LANES_PX, NO_LANES_BELOW } from './pane.ts'
import lanePanel from '../../../ui/lane-panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './panel.module.css'
import type { IndexingSettings } from './params.ts'
import { PinnedBatch } from './details/PinnedBatch.tsx'
import type { BatchRef, BatchRow, IndexKey } from '../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../feeds/indexing/contract/indexes.ts'
import { TroubleList } from './details/TroubleList.tsx'
import { useCard, useOperations, type OfRange } from './useIndexingData.ts'
import { useSizes } from './usePanelParts.ts'

const relationsOfIndex = (index: string): LaneRelations => ({ index })

export interface BatchesViewProps {
  readonly all: readonly IndexInfo[]
  readonly shown: readonly IndexInfo[]
  readonly keys: readonly IndexKey[]
  readonly settings: IndexingSettings
  readonly summary: OfRange<'indexing.summary'>
  /** Operations of all shown indexes. */
  readonly operations: OfRange<'indexing.operations'>
  readonly viewport: Viewport
  readonly gaps: readonly Gap[]
  readonly version: number
  readonly palette: IndexingPalette
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly manySources: boolean
  readonly onSet: (parts: Partial<IndexingSettings>) => void
  readonly onWidth: (widthPx: number) => void
}

/** Lanes of batches, the largest batches beside them, and below them the time per index and per operation. */
export function BatchesView(props: BatchesViewProps): ReactNode {
  const { all, shown, keys, settings, viewport, version, palette, clock, manySources, onSet } = props
  const summary = props.summary.response
  const state = useCaptureState()
  const { view, change } = useView()
  const [reveal, setReveal] = useState(0)
  const [contentPx, setContentPx] = useState(0)
  const keysId = useId()
  const areaRef = useRef<HTMLDivElement>(null)
  const sizes = useSizes(settings.sizeScale)
  const { settled, live, moving } = viewport

  const focused = shown.find((index) => index.key === settings.focus) ?? null
  const focus = focused?.key ?? null
  const own = useOperations(focus === null ? null : [focus], settled, settings.filter, version, live)
  const operations = focus === null ? props.operations : own
  const isStale = (requested: { readonly isOld: boolean }): boolean => moving || (!live && requested.isOld)

  const { selection } = view
  const selected = useMemo(() => parseBatchRef(selection), [selection])
  const { card, known: cardKnown, error: cardError } = useCard(selected, version)
  const largest = summary?.largest ?? NO_BATCHES
  const durationTicks = card?.durationTicks ?? largest.find((batch) => sameBatch(batch, selected))?.durationTicks ?? 1

  const select = (ref: BatchRef | null): void => change({ selection: ref === null ? null : formatBatchRef(ref) })
  const show = useSteady((batch: BatchRow): void => {
    select(batch)
    viewport.reveal(batch.startTicks, batch.durationTicks)
    setReveal(reveal + 1)
  })
  useWalk(areaRef, largest, (batch) => sameBatch(batch, selected), show)

  return (
    <>
      <TimelineBody
        classes={{ ...styles, below: cx('stack', styles.below) }}
        bodyRef={areaRef}
        contentPx={contentPx}
        mostPx={MOST_LANES_PX}
        chart={
          <BatchTimeline
            indexes={shown}
            settings={settings}
            viewport={viewport}
            gaps={props.gaps}
            version={version}
            palette={palette}
            sizes={sizes}
            clock={clock}
            known={props.known}
            sources={view.sources}
            selected={selected === null ? null : { ref: selected, durationTicks }}
            reveal={reveal}
            describedBy={keysId}
            onSelect={select}
            onToggle={(row) => onSet({ open: toggled(settings.open, row.key) })}
            onWidth={props.onWidth}
            onContent={setContentPx}
          />
        }
        lanes={{
          panel: 'indexing',
          preset: NO_LANES_BELOW,
          viewport,
          state,
          ofTrack: relationsOfIndex,
          outside:
            selected === null
              ? null
              : { startTicks: selected.startTicks, durationTicks, of: { index: selected.index } },
        }}
        sums={
          <>
            {summary === null ? (
              <Spinner>Summing up …</Spinner>
            ) : (
              <IndexTable
                summary={summary}
                range={props.summary.range ?? settled}
                stale={isStale(props.summary)}
                manySources={manySources}
                sort={settings.sort}
                focus={focus}
                onSort={(sort) => onSet({ sort })}
                onFocus={(index) => onSet({ focus: index })}
              />
            )}
            <OperationTable
              response={operations.response}
              of={focus === null ? 'of all indexes in view' : splitIndexKey(focus).name}
              range={operations.range ?? settled}
              stale={isStale(operations)}
              palette={palette}
            />
          </>
        }
        sideLabel="What stands out"
        side={
          <>
            {selected === null ? null : (
              <PinnedBatch
                selected={selected}
                card={card}
                known={cardKnown}
                error={cardError}
                clock={clock}
                palette={palette}
                version={version}
                onClose={() => select(null)}
              />
            )}
            {focused === null ? null : <IndexFacts index={focused} clock={clock} />}
            <TroubleList indexes={all} manySources={manySources} />
            <LargestList
              batches={largest}
              stale={isStale(props.summary)}
              selected={selected}
              manySources={manySources}
              onSelect={show}
            />
          </>
        }
      />
      {settings.table ? (
        <div className={lanePanel.table}>
          <BatchRows
            indexes={keys}
            range={settled}
            filter={settings.filter}
            version={version}
            clock={clock}
            manySources={manySources}
            sort={settings.rowSort}
            selected={selected}
            onSort={(rowSort) => onSet({ rowSort })}
            onSelect={show}
          />
        </div>
      ) : null}
      <Legend palette={palette} sizes={sizes} keysId={keysId} />
    </>
  )
}

/** Constant, so that nothing is redrawn for a new array. */
const NO_BATCHES: readonly BatchRow[] = []
