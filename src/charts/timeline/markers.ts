/** A moment that all timelines show: something was done to the server. */
export interface TimeMarker {
  readonly id: string
  readonly atTicks: number
  /** When it was over; null: it goes on, or was over at once. */
  readonly endTicks: number | null
  readonly label: string
  readonly tone: 'done' | 'failed' | 'open'
}

let markers: readonly TimeMarker[] = []
const listeners = new Set<() => void>()

/** Replaces those of the page, in order of time. */
export function setMarkers(next: readonly TimeMarker[]): void {
  markers = next
  for (const changed of listeners) changed()
}

export const getMarkers = (): readonly TimeMarker[] => markers

export function subscribeMarkers(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
