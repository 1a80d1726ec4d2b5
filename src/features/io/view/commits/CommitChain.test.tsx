import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import { fakeCapture } from '../../../../testing/fake-capture.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import CommitChain from './CommitChain.tsx'

/** Moves the view by a second at a click. */
function Moving(): ReactNode {
  const [atTicks, setAtTicks] = useState(0)
  const range = { startTicks: atTicks as Ticks, endTicks: (atTicks + 1e8) as Ticks }
  return (
    <>
      <button type="button" onClick={() => setAtTicks(atTicks + 1e7)}>
        Pan
      </button>
      <CommitChain params={{ lane: 'db:shop|/data/shop', journalStartTicks: 5 as Ticks, range }} isFile={false} />
    </>
  )
}

it('says that its sums are of an earlier view after a pan, until it is asked again', async () => {
  const user = userEvent.setup()
  const requested: unknown[] = []
  const capture = {
    ...fakeCapture(),
    request: (_: string, params: unknown) => {
      requested.push(params)
      return Promise.resolve({ known: true, commit: null, sums: null, sinceTicks: null })
    },
  } as unknown as CaptureClient
  renderPanel(<Moving />, capture)
  await user.click(screen.getByRole('button', { name: 'Show the commit' }))
  await screen.findByRole('columnheader', { name: 'Commits in view' })
  expect(screen.queryByRole('button', { name: 'Ask again' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Pan' }))
  await screen.findByRole('columnheader', { name: 'Commits then in view' })
  expect(screen.getByText('No commit then in view is known step by step.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Ask again' }))
  await screen.findByRole('columnheader', { name: 'Commits in view' })
  expect(requested).toMatchObject([{ range: { startTicks: 0 } }, { range: { startTicks: 1e7 } }])
})
