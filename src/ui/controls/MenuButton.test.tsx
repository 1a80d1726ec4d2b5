import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { openMenu } from '../../testing/open-menu.ts'
import { VirtualTable, type VirtualTableProps } from '../table/VirtualTable.tsx'
import { Dialog } from './Dialog.tsx'
import { MenuButton, MenuItems, type MenuItem } from './MenuButton.tsx'

const TITLES = ['Disable', 'Restart', 'Delete, keep the files', 'Delete with all files']

const itemsOf = (name: string): HTMLElement[] =>
  screen.getAllByRole('menuitem', { hidden: true }).filter((item) => item.closest(`[aria-label="Actions on ${name}"]`))

function Rows({
  names,
  onRowClick,
}: {
  readonly names: readonly string[]
  readonly onRowClick?: () => void
}): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null)
  const table: VirtualTableProps<string> = {
    label: 'Databases',
    columns: [{ id: 'name', title: 'Name', width: 100 }],
    total: names.length,
    rowHeightPx: 24,
    fetchRows: () => Promise.resolve(names),
    renderCell: (name) => (
      <MenuButton
        text={null}
        label={`Actions on ${name}`}
        icon="more"
        items={TITLES.map((text) => ({ text, onChoose: () => setChosen(text) }))}
      />
    ),
    sort: null,
    onSort: () => {},
    rowKey: (name) => name,
    version: names.join(' '),
    ...(onRowClick === undefined ? {} : { onRowClick }),
  }
  return (
    <>
      <VirtualTable {...table} />
      {chosen === null ? null : (
        <Dialog title={chosen} onClose={() => setChosen(null)} actions={<button type="button">Cancel</button>}>
          {chosen}
        </Dialog>
      )}
    </>
  )
}

it('in a row has the keys to itself: the table does not move, and no row is opened', async () => {
  const user = userEvent.setup()
  const onRowClick = vi.fn<() => void>()
  render(<Rows names={['alpha', 'beta']} onRowClick={onRowClick} />)
  await screen.findByRole('button', { name: 'Actions on alpha' })
  const items = itemsOf('alpha')
  items[0]?.focus()
  const steps: string[] = []
  for (const key of ['{ArrowDown}', '{ArrowDown}', 'd', 'd', '{End}', '{ArrowDown}', '{ArrowUp}', '{Home}', 'r']) {
    await user.keyboard(key)
    steps.push(document.activeElement?.textContent ?? '')
  }
  const [disable, restart, keep, all] = TITLES
  expect(steps).toEqual([restart, keep, all, disable, all, disable, all, disable, restart])
  expect(items).toContain(document.activeElement)
  // Its edge belongs to no row.
  await user.click(screen.getByRole('menu', { hidden: true, name: 'Actions on alpha' }))
  expect(onRowClick).not.toHaveBeenCalled()
})

it('leads to a dialog that gives the focus back to its button', async () => {
  const user = userEvent.setup()
  render(<Rows names={['alpha', 'beta']} />)
  await screen.findByRole('button', { name: 'Actions on beta' })
  itemsOf('beta')[1]?.focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement?.textContent).toBe('Cancel')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions on beta')
})

it('is another menu where another row takes its place, and the row there keeps the focus', async () => {
  const { rerender } = render(<Rows names={['alpha', 'beta']} />)
  await screen.findByRole('button', { name: 'Actions on alpha' })
  const [item] = itemsOf('alpha')
  item?.focus()
  rerender(<Rows names={['a new one', 'alpha', 'beta']} />)
  await screen.findByRole('button', { name: 'Actions on a new one' })
  expect(item?.isConnected).toBe(false)
  expect(document.activeElement?.getAttribute('role')).toBe('row')
})

it('says once at its head why nothing can be chosen, and beside an entry what is of it alone', () => {
  const refusals = ['Locked.', 'Locked.', 'Needs a right.']
  render(
    <MenuButton
      text="Act"
      label="Act"
      icon="more"
      items={refusals.map((refusal, i) => ({ text: `Do ${String(i)}`, refusal, onChoose: () => undefined }))}
    />,
  )
  const items = screen.getAllByRole('menuitem', { hidden: true })
  expect(items.map(({ textContent }) => textContent)).toEqual(['Do 0', 'Do 1', 'Do 2Needs a right.'])
  const headOf = (item: HTMLElement | undefined): string | null | undefined =>
    document.getElementById(item?.getAttribute('aria-describedby') ?? '')?.textContent
  expect(items.map(headOf)).toEqual(['Locked.', 'Locked.', undefined])
})

it('keeps the focus where its items change while it is open, and on none that was not chosen', async () => {
  const user = userEvent.setup()
  const onChoose = vi.fn<() => void>()
  const menu = (...texts: readonly string[]) => (
    <MenuButton text="Act" label="Act" icon="more" items={texts.map((text) => ({ text, onChoose }))} />
  )
  const { rerender } = render(menu('Disable', 'Restart'))
  screen.getByRole('menuitem', { hidden: true, name: 'Disable' }).focus()
  rerender(menu('Enable', 'Restart'))
  expect(document.activeElement?.getAttribute('role')).toBe('menu')
  await user.keyboard('{Enter}')
  expect(onChoose).not.toHaveBeenCalled()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Enable')
})

const textsOf = (): string[] => screen.getAllByRole('menuitem', { hidden: true }).map((item) => item.textContent)

/** Description of the items that are no longer offered. */
const goneOf = (): string | null | undefined => {
  const described = screen
    .getAllByRole('menuitem', { hidden: true })
    .filter((item) => item.getAttribute('aria-disabled') === 'true')
    .map((item) => document.getElementById(item.getAttribute('aria-describedby') ?? '')?.textContent)
  expect(new Set(described).size).toBe(1)
  return described[0]
}

it('moves no item while it is open: what is no longer offered refuses, and what is new follows', () => {
  const onChoose = vi.fn<() => void>()
  const menu = (...texts: readonly string[]) => (
    <MenuButton text="Act" label="Act" icon="more" items={texts.map((text) => ({ text, onChoose }))} />
  )
  const { rerender } = render(menu('Pause', 'Reset'))
  rerender(menu('Pause', 'Resume', 'Reset'))
  expect(textsOf()).toEqual(['Pause', 'Resume', 'Reset'])
  openMenu('Act')
  rerender(menu('Resume', 'Disable', 'Reset'))
  expect(textsOf()).toEqual(['Pause', 'Resume', 'Reset', 'Disable'])
  expect(goneOf()).toBe('No longer possible, as the state has changed: Pause.')
  fireEvent.click(screen.getByRole('menuitem', { hidden: true, name: /^Pause/ }))
  expect(onChoose).not.toHaveBeenCalled()
  rerender(menu('Pause', 'Resume'))
  expect(textsOf()).toEqual(['Pause', 'Resume', 'Reset', 'Disable'])
  expect(goneOf()).toBe('No longer possible, as the state has changed: Reset, Disable.')
})

it('above its button, it keeps its top while it is open, and grows downwards', () => {
  const menu = (...texts: readonly string[]) => (
    <MenuButton text="Act" label="Act" icon="more" items={texts.map((text) => ({ text, onChoose: () => undefined }))} />
  )
  render(menu('Pause', 'Reset'))
  const rect = (top: number, height: number): DOMRect => new DOMRect(10, top, 100, height)
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(800)
  const shown = screen.getByRole('menu', { hidden: true })
  const anchor = shown.parentElement
  if (anchor === null) throw new Error('A menu is beside its button.')
  vi.spyOn(anchor, 'getBoundingClientRect').mockReturnValue(rect(760, 20))
  // A menu has no size before it is shown.
  const sizes = vi.spyOn(shown, 'getBoundingClientRect').mockReturnValue(rect(0, 0))
  fireEvent(shown, Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  expect([shown.style.top, shown.style.bottom]).toEqual(['auto', '44px'])
  sizes.mockReturnValue(rect(656, 100))
  fireEvent(shown, Object.assign(new Event('toggle'), { newState: 'open' }))
  expect([shown.style.top, shown.style.bottom]).toEqual(['656px', 'auto'])
  expect(shown.style.getPropertyValue('--room-down')).toBe('140px')
  vi.restoreAllMocks()
})

it('offers nothing before its items are known, and then has the focus on the first', () => {
  const menu = (items: readonly MenuItem[] | null) => (
    <MenuButton text="Act" label="Act" icon="more" renderItems={() => <MenuItems items={items} />} />
  )
  const { rerender } = render(menu(null))
  openMenu('Act')
  const [loading] = screen.getAllByRole('menuitem', { hidden: true })
  expect(loading?.getAttribute('aria-disabled')).toBe('true')
  loading?.focus()
  rerender(menu(['Pause', 'Reset'].map((text) => ({ text, onChoose: () => undefined }))))
  expect(textsOf()).toEqual(['Pause', 'Reset'])
  expect(document.activeElement?.textContent).toBe('Pause')
})

it('is closed by an item that refuses the items once it is chosen, and not by a refused one', () => {
  function Exports(): ReactNode {
    const [isRunning, setRunning] = useState(false)
    const refusal = isRunning ? 'Another export is under way.' : null
    return (
      <MenuButton
        text="Export"
        label="Export"
        icon="export"
        items={['CSV', 'JSON'].map((text) => ({ text, refusal, onChoose: () => setRunning(true) }))}
      />
    )
  }
  render(<Exports />)
  const item = screen.getByRole('menuitem', { hidden: true, name: 'CSV' })
  // False: the browser would not do what the button is for.
  expect(fireEvent.click(item)).toBe(true)
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(item.getAttribute('popovertarget')).toBe(screen.getByRole('menu', { hidden: true }).id)
  expect(fireEvent.click(item)).toBe(false)
})
