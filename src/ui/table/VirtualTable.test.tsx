import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { VirtualTable } from './VirtualTable.tsx'
import type { VirtualTableProps } from './VirtualTable.tsx'

interface Row {
  readonly id: number
}

const base: VirtualTableProps<Row> = {
  label: 'Events',
  columns: [
    { id: 'name', title: 'Name', width: 100, sortable: true },
    { id: 'size', title: 'Size', width: 80, align: 'end', sortable: true },
    { id: 'note', title: 'Note', width: 80 },
  ],
  total: 3_000_000,
  rowHeightPx: 24,
  fetchRows: (offset, limit) => Promise.resolve(Array.from({ length: limit }, (_, index) => ({ id: offset + index }))),
  renderCell: (row, column) => (column === 'name' ? `event ${String(row.id)}` : String(row.id * 2)),
  sort: null,
  onSort: () => {},
  rowKey: (row) => String(row.id),
  version: 1,
}

const bodyRows = (): HTMLElement[] => screen.getAllByRole('row').slice(1)

describe('VirtualTable', () => {
  it('says how large it is and holds only what is in sight', async () => {
    render(<VirtualTable {...base} />)
    expect(await screen.findByText('event 0')).toBeTruthy()
    const table = screen.getByRole('table', { name: 'Events' })
    expect(table.getAttribute('aria-rowcount')).toBe('3000001')
    expect(bodyRows().length).toBeLessThan(60)
    expect(bodyRows()[4]?.getAttribute('aria-rowindex')).toBe('6')
  })

  it('renders only the rows that come into view while it scrolls', async () => {
    const renderCell = vi.fn(base.renderCell)
    render(<VirtualTable {...base} renderCell={renderCell} />)
    await screen.findByText('event 0')
    const box = screen.getByRole('table')
    const before = bodyRows().length
    renderCell.mockClear()
    box.dispatchEvent(new WheelEvent('wheel', { deltaY: 48, cancelable: true, bubbles: true }))
    await expect.poll(() => bodyRows().length).toBe(before + 2)
    const rendered = new Set(renderCell.mock.calls.map(([row]) => row.id))
    expect([...rendered]).toEqual([before, before + 1])
  })

  it('goes to any row by keys and keeps the focus there', async () => {
    const user = userEvent.setup()
    render(<VirtualTable {...base} />)
    await screen.findByText('event 0')
    await user.tab()
    await user.tab()
    await user.tab()
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2')
    await user.keyboard('{End}')
    expect(await screen.findByText('event 2999999')).toBeTruthy()
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('3000001')
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement?.textContent).toContain('event 2999998')
    await user.keyboard('{PageUp}')
    const index = Number(document.activeElement?.getAttribute('aria-rowindex'))
    expect(index).toBeLessThan(2_999_990)
    await user.keyboard('{Home}{ArrowUp}')
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2')
  })

  it('is left by Tab after the controls of one row, however many rows follow', async () => {
    const user = userEvent.setup()
    const renderCell = ({ id }: Row): ReactNode => <button type="button">open {id}</button>
    const columns = [{ id: 'name', title: 'Name', width: 100 }]
    const { rerender } = render(
      <>
        <VirtualTable {...base} columns={columns} renderCell={renderCell} />
        <button type="button">behind</button>
      </>,
    )
    await screen.findByRole('button', { name: 'open 3' })
    const names: string[] = []
    for (let i = 0; i < 3; i++) {
      await user.tab()
      names.push(document.activeElement?.textContent ?? '')
    }
    expect(names).toEqual(['open 0', 'open 0', 'behind'])
    await user.tab({ shift: true })
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('4')
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'open 2' }))
    await user.tab()
    expect(document.activeElement?.textContent).toBe('behind')
    // All rows of a short list are in reach.
    rerender(<VirtualTable {...base} columns={columns} renderCell={renderCell} total={3} version={2} />)
    await expect.poll(() => screen.getAllByRole('button').map(({ tabIndex }) => tabIndex)).toEqual([0, 0, 0])
  })

  it('opens by Enter and click, toggles by Space', async () => {
    const user = userEvent.setup()
    const onRowClick = vi.fn<(row: Row) => void>()
    const onRowToggle = vi.fn<(row: Row) => void>()
    render(<VirtualTable {...base} onRowClick={onRowClick} onRowToggle={onRowToggle} />)
    await user.click(await screen.findByText('event 3'))
    await user.keyboard('{ArrowDown}{Enter}{ArrowDown} ')
    expect(onRowClick.mock.calls).toEqual([[{ id: 3 }], [{ id: 4 }]])
    expect(onRowToggle.mock.calls).toEqual([[{ id: 5 }]])
  })

  it('sorts by the header: names from A, figures from the largest, then the other way', async () => {
    const user = userEvent.setup()
    const onSort = vi.fn<VirtualTableProps<Row>['onSort']>()
    const { rerender } = render(<VirtualTable {...base} onSort={onSort} />)
    const header = (name: string): HTMLElement => screen.getByRole('columnheader', { name })
    expect(header('Name').getAttribute('aria-sort')).toBe('none')
    expect(header('Note').getAttribute('aria-sort')).toBeNull()
    await user.click(within(header('Name')).getByRole('button'))
    await user.click(within(header('Size')).getByRole('button'))
    rerender(<VirtualTable {...base} onSort={onSort} sort={{ id: 'size', descending: true }} />)
    expect(screen.getByRole('columnheader', { name: /Size/ }).getAttribute('aria-sort')).toBe('descending')
    await user.click(within(screen.getByRole('columnheader', { name: /Size/ })).getByRole('button'))
    expect(onSort.mock.calls.map(([sort]) => sort)).toEqual([
      { id: 'name', descending: false },
      { id: 'size', descending: true },
      { id: 'size', descending: false },
    ])
  })

  it('keeps old rows, marked, while new ones are under way', async () => {
    const { rerender } = render(<VirtualTable {...base} total={3} />)
    await screen.findByText('event 2')
    rerender(<VirtualTable {...base} total={3} version={2} fetchRows={() => new Promise<readonly Row[]>(() => {})} />)
    expect(screen.getByText('event 2')).toBeTruthy()
    expect(bodyRows()[2]?.hasAttribute('data-stale')).toBe(true)
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true')
  })

  it('says when rows could not be read, and tries again when asked', async () => {
    const user = userEvent.setup()
    let broken = true
    const fetchRows: VirtualTableProps<Row>['fetchRows'] = (offset, limit, signal) =>
      broken ? Promise.reject(new Error('The worker ended.')) : base.fetchRows(offset, limit, signal)
    render(<VirtualTable {...base} total={3} fetchRows={fetchRows} />)
    expect((await screen.findByRole('alert')).textContent).toContain('The worker ended.')
    broken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('event 2')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('marks the selected row', async () => {
    render(<VirtualTable {...base} total={5} selectedKey="3" />)
    await screen.findByText('event 3')
    expect(bodyRows().map((row) => row.getAttribute('aria-current'))).toEqual([null, null, null, 'true', null])
  })
})

describe('a table that is wider than its box', () => {
  const sizes = (widthPx: number, contentPx: number): void => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(widthPx)
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(contentPx)
  }
  const columns = base.columns.map((column, index) => (index === 0 ? { ...column, pinned: true } : column))
  const headers = (): HTMLElement[] => screen.getAllByRole('columnheader')
  const shades = (): Element[] =>
    [...document.querySelectorAll('[aria-hidden="true"]')].filter((each) => each.matches('span[style]'))

  afterEach(() => vi.restoreAllMocks())

  it('shows at which edge there is more, and the pinned column stays', async () => {
    sizes(260, 900)
    render(<VirtualTable {...base} columns={columns} />)
    await screen.findByText('event 0')
    expect(shades()).toHaveLength(1)
    expect(headers()[0]!.style.insetInlineStart).toMatch(/^0(px)?$/)
    const box = screen.getByRole('table')
    box.scrollLeft = 640
    box.dispatchEvent(new Event('scroll'))
    await expect.poll(() => (shades()[0] as HTMLElement).style.insetInlineStart).toBe('100px')
  })

  it('shows none where all is in sight', async () => {
    sizes(260, 260)
    render(<VirtualTable {...base} columns={columns} />)
    await screen.findByText('event 0')
    expect(shades()).toHaveLength(0)
  })

  it('pins nothing that would take more than half of it', async () => {
    sizes(190, 900)
    render(<VirtualTable {...base} columns={columns} />)
    await screen.findByText('event 0')
    expect(headers()[0]!.style.insetInlineStart).toBe('')
  })

  it('shows the whole of a truncated text as a tooltip, and only of those', async () => {
    sizes(260, 900)
    render(<VirtualTable {...base} />)
    const cell = (await screen.findByText('event 0')).closest<HTMLElement>('[role=cell]')!
    await userEvent.setup().hover(cell)
    expect(cell.title).toBe('event 0')
    sizes(260, 260)
    await userEvent.setup().hover(screen.getByText('event 1'))
    expect(screen.getByText('event 1').closest<HTMLElement>('[role=cell]')!.title).toBe('')
  })
})
