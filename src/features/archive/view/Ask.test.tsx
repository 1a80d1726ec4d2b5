import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { Ask } from './Ask.tsx'
import { askLeft } from './ask-left.ts'

afterEach(() => {
  cleanup()
  askLeft.set(null)
  vi.unstubAllGlobals()
})

it('shows the typed SQL and its answer again after the panel was left', async () => {
  const asked = { columns: [{ name: 'counted', type: 'BIGINT' }], rows: [[7]], hasMore: false, ms: 1 }
  vi.stubGlobal('location', { search: '?archive' })
  vi.stubGlobal('fetch', (_: string, request?: RequestInit) =>
    Promise.resolve(Response.json(request === undefined ? { tables: [], missing: '' } : asked)),
  )
  const sql = 'select count(*) as counted from io'
  const first = renderPanel(<Ask recordings={[]} />, stubCapture(), {})
  fireEvent.change(await screen.findByLabelText('SQL'), { target: { value: sql } })
  await userEvent.setup().click(screen.getByRole('button', { name: 'Run' }))
  expect((await screen.findByRole('status')).textContent).toMatch(/^1 row in /)
  first.unmount()

  renderPanel(<Ask recordings={[]} />, stubCapture(), {})
  expect((await screen.findByLabelText<HTMLTextAreaElement>('SQL')).value).toBe(sql)
  expect(screen.getByRole('status').textContent).toMatch(/^1 row in /)
})
