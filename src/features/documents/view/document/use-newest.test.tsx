import { cleanup, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import { useNewest } from './useNewest.ts'

const Newest = ({ id }: { readonly id: string | null }): ReactNode => (
  <output>{useNewest('Shop', id, 'A:1')?.changeVector ?? 'none'}</output>
)

it('has the figures of the server read, which show that others write, while a document is open', async () => {
  const capture = stubCapture()
  capture.responses.set('documents.version', () => ({ changeVector: 'A:2', modified: '' }))
  renderPanel(<Newest id="orders/1" />, capture)
  await expect.poll(() => screen.getByRole('status').textContent).toBe('A:2')
  expect(capture.calls.map(([name]) => name)).toContain('server.want')
  cleanup()
  const idle = stubCapture()
  renderPanel(<Newest id={null} />, idle)
  expect(idle.calls.map(([name]) => name)).not.toContain('server.want')
})
