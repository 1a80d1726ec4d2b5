import { Observed } from '../../base/observed.ts'

/** A moment that all timelines show: something was done to the server. */
export interface TimeMarker {
  readonly id: string
  readonly atTicks: number
  /** When it was over; null: it goes on, or was over at once. */
  readonly endTicks: number | null
  readonly label: string
  readonly tone: 'done' | 'failed' | 'open'
}

/** Those of the page, in order of time. */
export const markers = new Observed<readonly TimeMarker[]>([])

/** Sets them where any differs: timelines draw at each change. */
export function showMarkers(next: readonly TimeMarker[]): void {
  const shown = markers.get()
  const isSame =
    shown.length === next.length && shown.every((marker, i) => JSON.stringify(marker) === JSON.stringify(next[i]))
  if (!isSame) markers.set(next)
}
