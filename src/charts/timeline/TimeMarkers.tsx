import type { ReactNode } from 'react'
import type { TimeScale } from '../scale.ts'
import { useMarkers, type TimeMarker } from './markers.ts'
import styles from './TimeMarkers.module.css'

/** A label closer to the next one is replaced by a flag. */
const LABEL_PX = 130
/** Maximum number of markers in view; the oldest are left out. */
const MOST = 60

interface Placed {
  readonly marker: TimeMarker
  readonly xPx: number
  readonly widthPx: number
  /** The label is left of the line, for lack of room to the right. */
  readonly isFlipped: boolean
  readonly isNarrow: boolean
}

/** Places the markers in view, oldest first. */
export function placeMarkers(markers: readonly TimeMarker[], scale: TimeScale): readonly Placed[] {
  const inSight = markers
    .map((marker) => ({ marker, xPx: Math.round(scale.toPx(marker.atTicks)) }))
    .filter(({ xPx }) => xPx >= 0 && xPx <= scale.widthPx)
    .toSorted((a, b) => a.xPx - b.xPx)
    .slice(-MOST)
  return inSight.map(({ marker, xPx }, i) => {
    const isFlipped = xPx > scale.widthPx - LABEL_PX
    const next = inSight[i + 1]?.xPx ?? Number.POSITIVE_INFINITY
    const before = inSight[i - 1]?.xPx ?? Number.NEGATIVE_INFINITY
    const endPx = marker.endTicks === null ? xPx : Math.min(scale.widthPx, scale.toPx(marker.endTicks))
    return {
      marker,
      xPx,
      widthPx: Math.max(0, endPx - xPx),
      isFlipped,
      isNarrow: isFlipped ? xPx - before < LABEL_PX : next - xPx < LABEL_PX,
    }
  })
}

/** Actions on the server as vertical lines through the plot. Only their labels react to the pointer. */
export function TimeMarkers({ scale }: { readonly scale: TimeScale }): ReactNode {
  const placed = placeMarkers(useMarkers(), scale)
  if (placed.length === 0) return null
  return (
    <ul className={styles.layer} aria-label="Actions in this time">
      {placed.map(({ marker, xPx, widthPx, isFlipped, isNarrow }) => (
        <li
          key={marker.id}
          className={[
            styles.marker,
            styles[marker.tone],
            isFlipped ? styles.flipped : '',
            isNarrow ? styles.narrow : '',
          ].join(' ')}
          style={{ left: xPx }}
        >
          {widthPx < 3 ? null : <span className={styles.span} style={{ width: widthPx }} />}
          <span className={`cut ${styles.label}`} title={marker.label}>
            {marker.label}
          </span>
        </li>
      ))}
    </ul>
  )
}
