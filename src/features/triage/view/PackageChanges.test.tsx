import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { FileState } from '../../../capture/client/state.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { PackageChanges } from './PackageChanges.tsx'

it('says that no earlier package is open once that is known, not while packages are compared', async () => {
  const files = ['a.zip', 'b.zip'].map(
    (name) => ({ name, servers: 1, sources: [], entries: [] }) as unknown as FileState,
  )
  const capture = stubCapture({ files })
  let respond: (changes: null) => void = () => undefined
  capture.responses.set('package.changes', () => new Promise((resolve) => (respond = resolve)))
  renderPanel(<PackageChanges file="b.zip" />, capture)
  await screen.findByText('Comparing with earlier packages …')
  expect(screen.queryByText(/No earlier package/)).toBeNull()
  await expect.poll(() => capture.calls.length).toBe(1)
  respond(null)
  await screen.findByText(/^No earlier package of this server is open/)
})
