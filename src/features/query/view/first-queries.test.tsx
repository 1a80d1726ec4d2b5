import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { FirstQueries } from './FirstQueries.tsx'

const queries = <FirstQueries database="Shop" onTake={() => undefined} />

it('has the whole name in the button and its title', async () => {
  const capture = stubCapture()
  const name = 'Verylong'.repeat(30)
  capture.responses.set('query.names', () => ({
    loaded: true,
    atMs: 0,
    collections: [{ name, documents: 3 }],
    indexes: [name],
  }))
  renderPanel(queries, capture)
  const buttons = await screen.findAllByRole('button', { name: new RegExp(name) })
  expect(buttons.map((button) => button.querySelector('.cut')?.textContent)).toEqual([name, name])
  for (const { title } of buttons) expect(title).toContain(name)
})

it('tells a database that does not exist from one that is not loaded', async () => {
  const capture = stubCapture()
  capture.responses.set('query.names', () => ({ loaded: false }))
  capture.responses.set('databases.closure', () => ({
    reason: 'There is no database “Shop” on this server.',
    isGone: true,
  }))
  const { unmount } = renderPanel(queries, capture)
  expect(await screen.findByRole('heading', { name: 'There is no database “Shop” on this server.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Databases' })).toBeTruthy()
  expect(screen.queryByText(/not loaded/)).toBeNull()
  unmount()
  capture.responses.set('databases.closure', () => ({ reason: null, isGone: false }))
  renderPanel(queries, capture)
  expect(await screen.findByText(/is not loaded/)).toBeTruthy()
})
