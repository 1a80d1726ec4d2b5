import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { AskedChart } from './AskedChart.tsx'

const BATCHES = {
  columns: [
    { name: 'index', type: 'VARCHAR' },
    { name: 'batches', type: 'BIGINT' },
    { name: 'longest_ms', type: 'DOUBLE' },
  ],
  rows: [
    ['Orders/ByTotal', 7, 81.5],
    ['Users/ByName', 9, null],
  ],
  hasMore: false,
  ms: 1,
}

it('shows rows without a time as bars, of the duration first and of another column when that is chosen', async () => {
  render(<AskedChart asked={BATCHES} />)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Orders/ByTotal81.5'])
  expect(screen.getByText('1 row without a value.')).toBeTruthy()
  await userEvent.setup().selectOptions(screen.getByRole('combobox', { name: 'Column of the chart' }), 'batches')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Orders/ByTotal7',
    'Users/ByName9',
  ])
})

it('goes from point to point in time by keys, and leads to the row', () => {
  const columns = [
    { name: 'hour', type: 'TIMESTAMP' },
    { name: 'node', type: 'VARCHAR' },
    { name: 'slowest_ms', type: 'DOUBLE' },
  ]
  const rows = [
    ['2026-11-26 02:00:00', 'a', 30],
    ['2026-11-26 01:00:00', 'a', 20],
  ]
  const onShow = vi.fn()
  render(<AskedChart asked={{ columns, rows, hasMore: false, ms: 1 }} onShow={onShow} />)
  const chart = screen.getByRole('application', { name: 'slowest_ms over time' })
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  expect(screen.getByText('a, 2026-11-26 01:00:00, slowest_ms 20')).toBeTruthy()
  fireEvent.keyDown(chart, { key: 'ArrowRight' })
  fireEvent.keyDown(chart, { key: 'Enter' })
  expect(onShow.mock.calls).toEqual([[0]])
})

it('forgets the point of one column when another is chosen', async () => {
  const columns = [
    { name: 'hour', type: 'TIMESTAMP' },
    { name: 'writes', type: 'BIGINT' },
    { name: 'slowest_ms', type: 'DOUBLE' },
  ]
  render(<AskedChart asked={{ columns, rows: [['2026-11-26 01:00:00', 7, 20]], hasMore: false, ms: 1 }} />)
  fireEvent.keyDown(screen.getByRole('application', { name: 'slowest_ms over time' }), { key: 'ArrowRight' })
  expect(screen.getByText('2026-11-26 01:00:00, slowest_ms 20')).toBeTruthy()
  await userEvent.setup().selectOptions(screen.getByRole('combobox', { name: 'Column of the chart' }), 'writes')
  expect(screen.getByRole('application', { name: 'writes over time' })).toBeTruthy()
  expect(screen.queryByText(/^2026-11-26 01:00:00/)).toBeNull()
})

it('draws nothing where no column has a number', () => {
  render(<AskedChart asked={{ ...BATCHES, columns: BATCHES.columns.slice(0, 1) }} />)
  expect(screen.queryByRole('figure')).toBeNull()
})
