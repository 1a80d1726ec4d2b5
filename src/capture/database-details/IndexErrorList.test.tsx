import { QueryClientProvider } from '@tanstack/react-query'
import { createQueryClient } from '../client/requests/queries.ts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../base/ticks.ts'
import type { Detail, IndexError, IndexErrors } from '../../ravendb/databases/database-details.ts'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture, unanswered } from '../../testing/stub-capture.ts'
import { CaptureError } from '../client/client.ts'
import { IndexErrorList } from './IndexErrorList.tsx'

const error = (index: string, document: string | null, second: number, text: string): IndexError => ({
  index,
  document,
  action: 'Map',
  atTicks: parseTicks(`2026-07-27T10:00:0${String(second)}.0000000Z`),
  error: `${text}\n   at Raven.Server.Documents.Indexes`,
})
const ERRORS: readonly IndexError[] = [
  error('Orders/Sum', 'orders/3', 3, 'overflow'),
  error('Orders/Broken', 'orders/2', 2, '<img src=x onerror=alert(1)>'),
  error('Orders/Broken', null, 1, 'divide by zero'),
]
const responseOf = (errors: readonly IndexError[]): Detail<IndexErrors> => ({
  loaded: true,
  atMs: Date.UTC(2026, 6, 27, 10, 1),
  errors,
  total: errors.length,
})

function show(
  response: (request: { readonly load?: boolean }) => Detail<IndexErrors>,
  indexes: string[] = [],
  first?: number,
) {
  const capture = stubCapture()
  capture.responses.set('databases.indexErrors', (request) => response(request as { readonly load?: boolean }))
  renderPanel(
    <QueryClientProvider client={createQueryClient()}>
      <IndexErrorList database="orders" indexes={indexes} clock="utc" {...(first === undefined ? {} : { first })} />
    </QueryClientProvider>,
    capture,
  )
  return capture
}
const rows = async (): Promise<string[]> =>
  within(await screen.findByRole('table', { name: 'Index errors' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

describe('the errors of indexes', () => {
  it('are a table, newest first, and a row shows the whole error as text', async () => {
    show(() => responseOf(ERRORS))
    expect(await screen.findByText(/^3 errors as of 2026-07-27 10:01:00/)).toBeTruthy()
    expect(await rows()).toEqual([
      expect.stringContaining('Orders/Sumorders/3Mapoverflow'),
      expect.stringContaining('Orders/Brokenorders/2Map<img'),
      expect.stringContaining('Orders/Broken—Mapdivide by zero'),
    ])
    const user = userEvent.setup()
    await user.click(screen.getByRole('row', { name: /orders\/2/ }))
    const whole = screen.getByRole('region', { name: 'Index error' })
    expect(whole.textContent).toContain('<img src=x onerror=alert(1)>\n   at Raven.Server')
    expect(document.querySelector('img')).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Index/ }))
    expect((await rows())[0]).toContain('Orders/Broken')
  })

  it('of one index are asked of that one, of several are picked out', async () => {
    const capture = show(() => responseOf(ERRORS.slice(1)), ['Orders/Broken'])
    expect(await rows()).toHaveLength(2)
    expect(capture.calls.find(([name]) => name === 'databases.indexErrors')?.[1]).toEqual({
      database: 'orders',
      index: 'Orders/Broken',
    })
    cleanup()
    const several = show(() => responseOf(ERRORS), ['Orders/Sum', 'Orders/Other'])
    expect(await rows()).toHaveLength(1)
    expect(several.calls.find(([name]) => name === 'databases.indexErrors')?.[1]).toEqual({ database: 'orders' })
  })

  it('are the first few in Triage', async () => {
    show(() => responseOf(ERRORS), [], 2)
    const items = await screen.findAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      '2026-07-27 10:00:03.000 Orders/Sum, orders/3, Map: overflow',
      '2026-07-27 10:00:02.000 Orders/Broken, orders/2, Map: <img src=x onerror=alert(1)>',
    ])
  })

  it('of an unloaded database are asked only after a click that says that it loads it', async () => {
    const capture = show(({ load }) => (load === true ? responseOf(ERRORS) : { loaded: false }))
    const button = await screen.findByRole('button', { name: 'Load orders to see them' })
    const requested = () =>
      capture.calls.filter(([name]) => name === 'databases.indexErrors').map(([, request]) => request)
    expect(requested()).toEqual([{ database: 'orders' }])
    await userEvent.setup().click(button)
    expect(await rows()).toHaveLength(3)
    expect(requested()).toEqual([{ database: 'orders' }, { database: 'orders', load: true }])
  })

  it('that are deleted, or could not be had, are said to be', async () => {
    show(() => responseOf([]), ['Orders/Broken'])
    expect(await screen.findByText(/^No index error is kept of Orders\/Broken/)).toBeTruthy()
    cleanup()
    let isUp = false
    show(() => {
      if (!isUp) throw new CaptureError(unanswered)
      return responseOf(ERRORS)
    })
    expect(await screen.findByText('The server does not answer.')).toBeTruthy()
    isUp = true
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
    expect(await rows()).toHaveLength(3)
  })
})
