import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { RowTable } from './RowTable.tsx'

it('sorts figures from the largest and names from A, and back', () => {
  render(
    <RowTable<number>
      label="Sizes"
      rows={[2, 3, 1]}
      keyOf={String}
      columns={[
        { title: 'Size', cell: (size) => size, compare: (a, b) => a - b, isFigure: true },
        { title: 'Name', cell: () => '', compare: (a, b) => a - b },
        { title: 'Note', cell: () => '' },
      ]}
    />,
  )
  const order = (): string =>
    screen
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
      .join(' ')
  const head = screen.getByRole('columnheader', { name: 'Size' })
  expect([order(), head.getAttribute('aria-sort')]).toEqual(['2 3 1', 'none'])
  fireEvent.click(screen.getByRole('button', { name: 'Size' }))
  expect([order(), head.getAttribute('aria-sort')]).toEqual(['3 2 1', 'descending'])
  fireEvent.click(screen.getByRole('button', { name: 'Size' }))
  expect([order(), head.getAttribute('aria-sort')]).toEqual(['1 2 3', 'ascending'])
  fireEvent.click(screen.getByRole('button', { name: 'Name' }))
  const byName = screen.getByRole('columnheader', { name: 'Name' })
  expect([order(), byName.getAttribute('aria-sort')]).toEqual(['1 2 3', 'ascending'])
  expect(screen.queryByRole('button', { name: 'Note' })).toBeNull()
})

it('names each cell of a row that is a card on a narrow page', () => {
  const columns = [
    { title: 'Server', cell: (name: string) => name },
    { title: 'State', cell: () => 'answers', isWide: true },
    { title: 'Node', cell: () => 'A' },
  ]
  render(<RowTable label="Servers" isStacked rows={['db1']} keyOf={String} columns={columns} />)
  expect(screen.getAllByRole('cell').map(({ dataset, textContent }) => [dataset['title'], textContent])).toEqual([
    ['State', 'answers'],
    ['Node', 'A'],
  ])
})
