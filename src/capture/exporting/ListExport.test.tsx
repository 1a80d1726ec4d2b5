import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as save from '../../ui/save.ts'
import { ListExport } from './ListExport.tsx'

const saved = { names: [] as string[], texts: [] as string[], fails: false }

beforeEach(() => {
  vi.spyOn(save, 'chooseSaveTarget').mockImplementation(({ name }) => {
    if (saved.fails) return Promise.reject(new Error('no room'))
    saved.names.push(name)
    let text = ''
    return Promise.resolve({
      isDownload: true,
      write: (piece: Uint8Array) => Promise.resolve(void (text += new TextDecoder().decode(piece))),
      finish: () => Promise.resolve(void saved.texts.push(text)),
      discard: () => Promise.resolve(),
    })
  })
})
afterEach(() => void vi.restoreAllMocks())

const show = () =>
  render(
    <ListExport
      label="databases"
      what="databases"
      of=""
      at={null}
      columns={[{ name: 'name', value: (row: string) => row }]}
      rows={['Orders', '=1']}
    />,
  )

afterEach(() => {
  saved.names = []
  saved.texts = []
  saved.fails = false
})

describe('the export of a list', () => {
  it('is a menu with a name of its own, and saves what the list has', async () => {
    const user = userEvent.setup()
    show()
    expect(screen.getByRole('button', { name: 'Export databases' }).getAttribute('aria-haspopup')).toBe('menu')
    await user.click(screen.getByRole('menuitem', { name: /CSV/ }))
    await user.click(screen.getByRole('menuitem', { name: /NDJSON/ }))
    await expect.poll(() => saved.texts.length).toBe(2)
    expect(saved.names).toEqual(['rookery-databases.csv', 'rookery-databases.ndjson'])
    expect(saved.texts).toEqual(["name\r\nOrders\r\n'=1\r\n", '{"name":"Orders"}\n{"name":"=1"}\n'])
  })

  it('moves through its items with the arrow keys', async () => {
    const user = userEvent.setup()
    show()
    const items = screen.getAllByRole('menuitem')
    items[0]?.focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(items[1])
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(items[0])
    await user.keyboard('{End}')
    expect(document.activeElement).toBe(items[1])
  })

  it('says in words what went wrong', async () => {
    const user = userEvent.setup()
    saved.fails = true
    show()
    await user.click(screen.getByRole('menuitem', { name: /CSV/ }))
    expect((await screen.findByRole('alert')).textContent).toBe('Not saved: no room')
  })
})
