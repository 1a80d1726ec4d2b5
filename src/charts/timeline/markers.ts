import { createContext, useContext, useSyncExternalStore } from 'react'
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

/** Markers of a page, in order of time. */
export class Markers extends Observed<readonly TimeMarker[]> {
  constructor() {
    super([])
  }

  /** Sets them where any differs: timelines draw at each change. */
  show(next: readonly TimeMarker[]): void {
    const shown = this.get()
    const isSame =
      shown.length === next.length && shown.every((marker, i) => JSON.stringify(marker) === JSON.stringify(next[i]))
    if (!isSame) this.set(next)
  }
}

/** Markers of the page around the timeline; null: the page has none. */
export const MarkersContext = createContext<Markers | null>(null)

const NONE: readonly TimeMarker[] = []
const getNone = (): readonly TimeMarker[] => NONE
const subscribeToNone = (): (() => void) => () => undefined

export function useMarkers(): readonly TimeMarker[] {
  const markers = useContext(MarkersContext)
  return useSyncExternalStore(markers?.subscribe ?? subscribeToNone, markers?.get ?? getNone)
}
