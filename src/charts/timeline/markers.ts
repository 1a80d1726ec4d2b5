import { createContext, useContext, useSyncExternalStore } from 'react'
import { Observed } from '../../base/observed.ts'

/** Marker on all timelines: an action on the server. */
export interface TimeMarker {
  readonly id: string
  readonly atTicks: number
  /** End of the action; null: it is still running, or it took no time. */
  readonly endTicks: number | null
  readonly label: string
  readonly tone: 'done' | 'failed' | 'open'
}

/** Markers of a page, sorted by time. */
export class Markers extends Observed<readonly TimeMarker[]> {
  constructor() {
    super([])
  }

  /** Replaces the markers if any differs, since each change makes all timelines draw. */
  show(next: readonly TimeMarker[]): void {
    const shown = this.get()
    const isSame =
      shown.length === next.length && shown.every((marker, i) => JSON.stringify(marker) === JSON.stringify(next[i]))
    if (!isSame) this.set(next)
  }
}

/** Markers of the page around a timeline; null: none. */
export const MarkersContext = createContext<Markers | null>(null)

const NONE: readonly TimeMarker[] = []
const getNone = (): readonly TimeMarker[] => NONE
const subscribeToNone = (): (() => void) => () => undefined

export function useMarkers(): readonly TimeMarker[] {
  const markers = useContext(MarkersContext)
  return useSyncExternalStore(markers?.subscribe ?? subscribeToNone, markers?.get ?? getNone)
}
