import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { IndexTable } from './IndexTable.tsx'
import { NO_FILTER } from '../../../../feeds/indexing/contract/batches.ts'

it('shows a late response, of the same version and range as the one before', async () => {
  const capture = await fakeIndexing({ seconds: 30 })
  const { indexes } = capture.indexing
  const summary = await capture.request('indexing.summary', {
    startTicks: capture.indexing.startTicks,
    endTicks: capture.indexing.endTicks,
    indexes: indexes.map(({ key }) => key),
    filter: NO_FILTER,
    largestLimit: 0,
  })
  const later = {
    ...summary,
    indexes: summary.indexes.map((row) => Object.assign({}, row, { documentsIn: 7_654_321 })),
  }
  function Later(): ReactNode {
    const [of, setOf] = useState(summary)
    return (
      <>
        <button type="button" onClick={() => setOf(later)}>
          later
        </button>
        <IndexTable
          summary={of}
          range={{ startTicks: 0 as Ticks, endTicks: 10 as Ticks }}
          stale={false}
          manySources={false}
          sort={{ id: 'busy', descending: true }}
          focus={null}
          onSort={() => {}}
          onFocus={() => {}}
        />
      </>
    )
  }
  renderPanel(<Later />, capture)
  expect((await screen.findAllByRole('row')).length).toBeGreaterThan(3)
  expect(screen.queryByText('7,654,321')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'later' }))
  expect((await screen.findAllByText('7,654,321')).length).toBe(summary.indexes.length)
})
