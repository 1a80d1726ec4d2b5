import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Clock } from '../../base/format.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { toggled } from '../../capture/param-text.ts'
import type { Gap } from '../../capture/state.ts'
import type { Viewport } from '../../capture/useViewport.ts'
import { useView } from '../../capture/view.ts'
import { buildSizeScale } from '../../charts/size-scale.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { BatchRows } from './BatchRows.tsx'
import { formatBatchRef, parseBatchRef, sameBatch, splitIndexKey } from './batchref.ts'
import { BatchTimeline } from './BatchTimeline.tsx'
import { IndexTable } from './IndexTable.tsx'
import { IndexFacts } from './IndexFacts.tsx'
import { LargestList } from './LargestList.tsx'
import { Legend } from './Legend.tsx'
import { OperationTable } from './OperationTable.tsx'
import type { IndexingPalette } from './palette.ts'
import styles from './panel.module.css'
import type { IndexingSettings } from './params.ts'
import { PinnedBatch } from './PinnedBatch.tsx'
import type { BatchRef, BatchRow, IndexInfo, IndexingSummaryAnswer } from './queries.ts'
import { TroubleList } from './TroubleList.tsx'
import { useCard, useOperations } from './useIndexingData.ts'

/** Larger ones share the strongest step of the linear scale. */
const LINEAR_TOP_BYTES = 64 * 2 ** 20
/** Most batches take in some MiB: ≤ 16 KiB, 64 KiB … 64 MiB, more. */
const FIRST_LIMIT_BYTES = 16 * 2 ** 10

export interface BatchesViewProps {
  readonly all: readonly IndexInfo[]
  readonly shown: readonly IndexInfo[]
  readonly settings: IndexingSettings
  readonly summary: IndexingSummaryAnswer | null
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

/** Lanes of batches, the largest beside them, and below per index and per operation where the time went. */
export function BatchesView(props: BatchesViewProps): ReactNode {
  const { all, shown, settings, summary, viewport, version, palette, clock, manySources, onSet } = props
  const { view, change } = useView()
  const [reveal, setReveal] = useState(0)
  const [contentPx, setContentPx] = useState(0)
  const keysId = useId()
  const sizes = buildSizeScale(settings.sizeScale, LINEAR_TOP_BYTES, FIRST_LIMIT_BYTES)
  const { range } = viewport

  const focused = shown.find((index) => index.key === settings.focus) ?? null
  const focus = focused?.key ?? null
  const keys = shown.map((index) => index.key)
  const operations = useOperations(focus === null ? keys : [focus], range, settings.filter, version)

  const selected = parseBatchRef(view.selection)
  const { card, known: cardKnown, error: cardError } = useCard(selected, version)
  const largest = summary?.largest ?? []
  const durationTicks = card?.durationTicks ?? largest.find((batch) => sameBatch(batch, selected))?.durationTicks ?? 1

  const select = (ref: BatchRef | null): void => change({ selection: ref === null ? null : formatBatchRef(ref) })
  const show = (batch: BatchRow | undefined): void => {
    if (batch === undefined) return
    select(batch)
    viewport.reveal(batch.startTicks, batch.durationTicks)
    setReveal(reveal + 1)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || largest.length === 0) return
    if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog') !== null) return
    if (event.key !== 'n' && event.key !== 'p') return
    event.preventDefault()
    const at = largest.findIndex((each) => sameBatch(each, selected))
    const next =
      event.key === 'n' ? Math.min(largest.length - 1, at + 1) : at < 0 ? largest.length - 1 : Math.max(0, at - 1)
    show(largest[next])
  }
  // On the page, so that N and P walk wherever the focus is.
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })

  return (
    <>
      <div className={styles.body}>
        <div className={styles.chart} style={{ ['--content' as string]: `${contentPx + 38}px` }}>
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
        </div>
        <div className={styles.below}>
          {summary === null ? (
            <Spinner>Summing up …</Spinner>
          ) : (
            <IndexTable
              summary={summary}
              range={range}
              manySources={manySources}
              sort={settings.sort}
              descending={settings.descending}
              focus={focus}
              onSort={(sort, descending) => onSet({ sort, descending })}
              onFocus={(index) => onSet({ focus: index })}
            />
          )}
          <OperationTable
            answer={operations.answer}
            of={focus === null ? 'of all indexes in view' : splitIndexKey(focus).name}
            range={range}
            palette={palette}
          />
        </div>
        <aside className={styles.side} aria-label="What stands out">
          <div className={styles.sideInner}>
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
              selected={selected}
              clock={clock}
              manySources={manySources}
              onSelect={show}
            />
          </div>
        </aside>
      </div>
      {settings.table ? (
        <div className={styles.table}>
          <BatchRows
            indexes={keys}
            range={range}
            filter={settings.filter}
            version={version}
            clock={clock}
            manySources={manySources}
            sort={settings.rowSort}
            descending={settings.rowDescending}
            selected={selected}
            onSort={(rowSort, rowDescending) => onSet({ rowSort, rowDescending })}
            onSelect={show}
          />
        </div>
      ) : null}
      <Legend palette={palette} sizes={sizes} keysId={keysId} />
    </>
  )
}
