import { expect, it } from 'vitest'
import { Markers, type TimeMarker } from './markers.ts'

const marker = (id: string, label = 'Paused'): TimeMarker => ({ id, atTicks: 1, endTicks: null, label, tone: 'open' })

it('markers that are the same as before make no timeline draw', () => {
  const markers = new Markers()
  let changes = 0
  markers.subscribe(() => void changes++)
  markers.show([marker('a'), marker('b')])
  markers.show([marker('a'), marker('b')])
  expect(changes).toBe(1)
  markers.show([marker('a'), marker('b', 'Resumed')])
  markers.show([marker('a')])
  expect(changes).toBe(3)
})
