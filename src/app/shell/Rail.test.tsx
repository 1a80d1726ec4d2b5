import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { View } from '../../capture/client/view.ts'
import type { PanelId } from '../../capture/client/panels.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { databaseRow, stubCapture, type StubCapture } from '../../testing/stub-capture.ts'
import { PANELS } from '../panels.ts'
import { Rail } from './Rail.tsx'

let capture: StubCapture

beforeEach(() => {
  capture = stubCapture()
  const rows = [databaseRow('Orders'), databaseRow('northwind', { state: 'unloaded', upTimeMs: null })]
  capture.responses.set('databases.list', () => ({ rows, complete: true }))
})

afterEach(() => {
  localStorage.clear()
})

const panelOf = (id: PanelId) => {
  const panel = PANELS.find((each) => each.id === id)
  if (panel === undefined) throw new Error(`no panel ${id}`)
  return panel
}

const show = (id: PanelId, parts: Partial<View> = {}) => renderPanel(<Rail panel={panelOf(id)} />, capture, parts)

describe('the rail', () => {
  it('has every panel once, by a name of its own, in the groups that panels name', () => {
    show('triage')
    const rail = within(screen.getByRole('navigation', { name: 'Panels' }))
    const groups = rail.getAllByRole('list').map((list) =>
      within(list)
        .getAllByRole('link')
        .map((link) => link.textContent),
    )
    expect(groups.flat()).toEqual(PANELS.map(({ title }) => title))
    expect(new Set(groups.flat()).size).toBe(PANELS.length)
    const inServer = within(rail.getByRole('list', { name: 'Server' })).getAllByRole('link')
    expect(inServer.slice(0, 2).map((link) => link.textContent)).toEqual(['Databases', 'Vitals'])
    expect(rail.getByRole('link', { current: 'page' }).textContent).toBe('Triage')
  })

  it('opens a panel by a click', async () => {
    const { opened } = show('triage')
    await userEvent.setup().click(screen.getByRole('link', { name: 'I/O' }))
    expect(opened).toEqual([{ panel: 'io', parts: {} }])
  })

  it('keeps the names for screen readers when it shows icons only, and remembers that', async () => {
    const user = userEvent.setup()
    show('triage')
    const button = screen.getByRole('button', { name: 'Show icons only' })
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await user.click(button)
    expect(screen.getByRole('link', { name: 'Cluster log' })).toBeTruthy()
    cleanup()
    show('triage')
    expect(screen.getByRole('button', { name: 'Show names of panels' }).getAttribute('aria-expanded')).toBe('false')
  })
})

describe('the database in scope', () => {
  it('is chosen from the list with its states, by typing, without loading any; its summary opens', async () => {
    const user = userEvent.setup()
    const { opened } = show('triage')
    await user.click(screen.getByRole('button', { name: 'Choose a database' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose a database' }))
    expect(await dialog.findByRole('option', { name: /northwind.*unloaded/ })).toBeTruthy()
    await user.keyboard('NORTH{Enter}')
    expect(opened).toEqual([{ panel: 'database', parts: { database: 'northwind' } }])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(capture.calls.map(([name]) => name)).not.toContain('databases.load')
  })

  it('is changed in place where the panel shows it', async () => {
    const user = userEvent.setup()
    const { opened, view } = show('io', { sources: ['db:Orders'] })
    await user.click(screen.getByRole('button', { name: 'Database in scope: Orders' }))
    await user.click(await screen.findByRole('option', { name: /^northwind/ }))
    await waitFor(() => expect(view().database).toBe('northwind'))
    expect(opened).toEqual([])
  })

  it('is said to be missing by the panels that need one', () => {
    show('triage')
    expect(screen.getByTitle('Summary: no database is chosen yet')).toBeTruthy()
  })
})
