import { useEffect, useMemo, type ReactNode } from 'react'
import { formatDateTime, formatDuration, formatPlural, type Clock } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { StretchFacts } from '../../../../capture/frame/range/StretchFacts.tsx'
import { useMoving, type Viewport } from '../../../../capture/frame/range/useViewport.ts'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { nearSight } from '../../../../charts/timeline/lanes/near-sight.ts'
import { useLanes, useReveal } from '../../../../charts/timeline/lanes/useLanes.ts'
import styles from '../../../../ui/card.module.css'
import { HitFacts } from '../details/BatchFacts.tsx'
import { BATCH_LANES } from './draw.ts'
import type { BatchPicture } from './picture.ts'
import type { BatchHit, IndexingHit } from './hits.ts'
import { chooseLanePx, layoutGaps, layoutLanes, rowOf, type LaneRow } from './layout.ts'
import { RowMenu } from './RowMenu.tsx'
import { RowName } from './RowName.tsx'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingSettings } from '../params.ts'
import type { BatchRef } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexInfo } from '../../../../feeds/indexing/contract/indexes.ts'
import { STATE_LOOKS } from '../states.ts'
import { useCard, useIcicles, useMarks } from '../useIndexingData.ts'

export interface BatchTimelineProps {
  readonly indexes: readonly IndexInfo[]
  readonly settings: IndexingSettings
  readonly viewport: Viewport
  readonly gaps: readonly Gap[]
  readonly version: number
  readonly palette: IndexingPalette
  readonly sizes: SizeScale
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly sources: readonly string[]
  readonly selected: { readonly ref: BatchRef; readonly durationTicks: number } | null
  /** Counter that increases when the selected batch should scroll into view. */
  readonly reveal: number
  /** Id of the text that explains the keyboard commands. */
  readonly describedBy: string
  readonly onSelect: (ref: BatchRef | null) => void
  readonly onToggle: (row: LaneRow) => void
  readonly onWidth: (widthPx: number) => void
  readonly onContent: (heightPx: number) => void
}

/** Lanes of batches; expanded lanes also show operations. */
export function BatchTimeline(props: BatchTimelineProps): ReactNode {
  const { indexes, settings, palette, sizes, clock, known, selected, version } = props
  const viewport = useMoving(props.viewport)
  const { scale, rule } = viewport
  const lanes = useLanes()
  const { heightPx, widthPx, scrollPx } = lanes.sight

  const open = indexes.filter((index) => settings.open.has(index.key)).map((index) => index.key)
  const icicles = useIcicles(widthPx > 0 ? open : [], scale, rule, settings.filter, version)
  const lanePx = chooseLanePx(indexes.length, indexes.length > 12 ? heightPx : 400)
  const { onContent, sources } = props
  // Stays the same object while unchanged; otherwise lane names would be redrawn for each frame of a pan.
  const layout = useMemo(() => {
    const depths = new Map([...icicles].map(([key, icicle]) => [key, icicle.depths]))
    return layoutLanes(indexes, sources, settings, depths, lanePx)
  }, [indexes, sources, settings, icicles, lanePx])
  useEffect(() => onContent(layout.heightPx), [onContent, layout.heightPx])

  const near = nearSight(lanes.sight, layout.tracks).map((row) => row.key)
  const { marks, error } = useMarks(near, scale, rule, settings.filter, version)
  const picture: BatchPicture = {
    layout,
    scale,
    marks,
    icicles,
    gaps: layoutGaps(layout.rows, props.gaps),
    scrollPx,
    tokens: palette.tokens,
    palette,
    sizes,
    clock,
    known,
    selected,
    atTicks: settings.at,
  }

  const selectedIndex = selected?.ref.index ?? null
  useReveal(
    lanes,
    props.reveal === 0 || selectedIndex === null ? null : `${props.reveal} ${selectedIndex}`,
    selectedIndex === null ? null : rowOf(layout, selectedIndex),
  )
  // A link to an index scrolls to its lane.
  const focusedRow = settings.focus === null ? null : rowOf(layout, settings.focus)
  useReveal(lanes, focusedRow === null ? null : settings.focus, focusedRow)

  return (
    <LaneTimeline
      label="Index batches"
      describedBy={props.describedBy}
      lanes={lanes}
      contract={BATCH_LANES}
      picture={picture}
      viewport={viewport}
      renderName={(row) => <RowName row={row} onToggle={props.onToggle} />}
      renderMenu={(row) => <RowMenu row={row} />}
      renderCard={(hit) => <Hovered hit={hit} version={version} clock={clock} palette={palette} />}
      renderStretch={(hit) => (
        <StretchFacts hit={hit} clock={clock} one="batch" many="batches" idle="No index worked." />
      )}
      describe={(focus) => (focus === null ? '' : `${describeFocus(focus, clock)} Enter pins it, O opens its lane.`)}
      error={error}
      onSelect={(hit) => props.onSelect(hit?.ref ?? null)}
      keys={(focus) => ({ o: () => (focus === null ? undefined : props.onToggle(focus.track)) })}
      onWidth={props.onWidth}
    />
  )
}

const describeFocus = (focus: BatchHit, clock: Clock): string =>
  `Batch ${focus.ref.id} of ${focus.track.label}, ${STATE_LOOKS[focus.state].title.toLowerCase()}, ${formatDateTime(focus.ref.startTicks, clock, 7)}, ${formatDuration(focus.durationTicks)}, ${formatPlural(focus.documents, 'document')}.`

interface HoveredProps {
  readonly hit: IndexingHit
  readonly version: number
  readonly clock: Clock
  readonly palette: IndexingPalette
}

function Hovered({ hit, version, clock, palette }: HoveredProps): ReactNode {
  const { card } = useCard(hit.type === 'batch' ? hit.ref : null, version)
  return (
    <>
      <HitFacts hit={hit} card={card} clock={clock} palette={palette} />
      <p className={styles.hint}>Click pins the batch</p>
    </>
  )
}
