import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import { parseTicks, type Ticks } from '../../../base/ticks.ts'
import { GapList } from './GapList.tsx'
import type { Gap } from '../../client/state.ts'

const at = (second: number): Ticks => (parseTicks('2026-11-20T04:00:00Z') + second * 1e7) as Ticks
const gap = (parts: Partial<Gap>): Gap => ({
  id: 1,
  source: 'db:orders',
  lane: null,
  kind: null,
  reason: 'server-stopped',
  startTicks: at(10),
  endTicks: at(20),
  missingCount: null,
  missingBytes: null,
  detail: '',
  ...parts,
})
const range = { startTicks: at(0), endTicks: at(60) }

test('each gap in view says why, when, where and how much, as text', () => {
  const gaps = [
    gap({}),
    gap({
      id: 2,
      reason: 'ring-lapped',
      lane: 'db:orders|/data/<b>',
      kind: 'JournalWrite',
      missingCount: 254,
      missingBytes: 4096 as Bytes,
    }),
    gap({ id: 3, reason: 'clock-jumped', endTicks: at(10), detail: 'The clock went back by 60 s.' }),
    gap({ id: 4, startTicks: at(70), endTicks: at(80) }),
  ]
  render(<GapList gaps={gaps} range={range} clock="utc" />)
  expect(screen.getByText('Not known: 3 gaps in view')).toBeDefined()
  const texts = screen.getAllByRole('listitem', { hidden: true }).map((item) => item.textContent)
  expect(texts[0]).toBe('clock went back 2026-11-20 04:00:10.000 ordersThe clock went back by 60 s.')
  expect(texts[1]).toContain('orders · /data/<b> · JournalWrite; 254 events, 4.00 KiB missing')
  expect(texts[2]).toContain(
    'server stopped 2026-11-20 04:00:10.000 – 04:00:20.000, 10.0 s orders; how much is missing is not known',
  )
})

test('where all is known there is nothing', () => {
  const { container } = render(<GapList gaps={[]} range={range} clock="utc" />)
  expect(container.textContent).toBe('')
})
