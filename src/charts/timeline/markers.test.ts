import { afterEach, expect, it } from 'vitest'
import { markers, showMarkers, type TimeMarker } from './markers.ts'

afterEach(() => markers.set([]))

const marker = (id: string, label = 'Paused'): TimeMarker => ({ id, atTicks: 1, endTicks: null, label, tone: 'open' })

it('markers that are the same as before tell no timeline to draw', () => {
  let changes = 0
  const stop = markers.subscribe(() => void changes++)
  showMarkers([marker('a'), marker('b')])
  showMarkers([marker('a'), marker('b')])
  expect(changes).toBe(1)
  showMarkers([marker('a'), marker('b', 'Resumed')])
  showMarkers([marker('a')])
  expect(changes).toBe(3)
  stop()
})
