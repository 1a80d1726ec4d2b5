import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Ticks, TICKS_PER_MS, type TickSpan } from '../../../../base/ticks.ts'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { NO_FILTER } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexingPalette } from '../palette.ts'
import { OperationTable } from './OperationTable.tsx'

it('shows the largest operations with what they are in, and sums up the others', async () => {
  const capture = await fakeIndexing({ seconds: 30 })
  const summed = await capture.request('indexing.operations', {
    startTicks: capture.indexing.startTicks,
    endTicks: capture.indexing.endTicks,
    indexes: capture.indexing.indexes.map(({ key }) => key),
    filter: NO_FILTER,
  })
  const [example] = summed.operations
  // Ten parents, each with nine children; all are over 1 %.
  const operations = Array.from({ length: 100 }, (_, i) => {
    const [parent, child] = [Math.floor(i / 10), i % 10]
    const ms = child === 0 ? 1000 - parent : 100 - parent - child
    return Object.assign({}, example, {
      path: child === 0 ? `p${parent}` : `p${parent}/c${child}`,
      name: child === 0 ? `parent ${parent}` : `child ${parent} ${child}`,
      depth: child === 0 ? 0 : 1,
      totalTicks: (ms * TICKS_PER_MS) as TickSpan,
      selfTicks: (child === 0 ? 0 : ms * TICKS_PER_MS) as TickSpan,
    })
  })
  const all = operations.reduce((sum, { selfTicks }) => sum + selfTicks, 0) as TickSpan
  const response = {
    ...summed,
    operations,
    unlisted: { count: 0, selfTicks: 0 as TickSpan },
    otherTicks: 0 as TickSpan,
    busyTicks: (all / 2) as TickSpan,
  }
  const palette = { family: () => '#000' } as unknown as IndexingPalette
  renderPanel(
    <OperationTable
      response={response}
      of="all indexes"
      range={{ startTicks: 0 as Ticks, endTicks: 10 as Ticks }}
      stale={false}
      palette={palette}
    />,
    capture,
  )
  const names = (): string[] => screen.getAllByRole('rowheader').map(({ textContent }) => textContent.trim())
  const shown = names()
  // Ten parents, thirty children or a few more of the same time; folded ones, unattributed time and the total.
  expect(shown.filter((name) => name.startsWith('parent'))).toHaveLength(10)
  expect(shown.length).toBeGreaterThanOrEqual(43)
  expect(shown.length).toBeLessThan(53)
  for (const name of shown.filter((each) => each.startsWith('child')))
    expect(shown).toContain(`parent ${name.slice(6, 7)}`)
  const folded = screen.getByRole('row', { name: /, folded/ })
  expect(folded.textContent).toContain(`${103 - shown.length} operations under`)
  const hidden = operations.filter(({ name }) => !shown.includes(name))
  const leastShown = Math.min(...operations.filter(({ name }) => shown.includes(name)).map((each) => each.totalTicks))
  expect(Math.max(...hidden.map(({ totalTicks }) => totalTicks))).toBeLessThan(leastShown)
  const seconds = hidden.reduce((sum, { selfTicks }) => sum + selfTicks, 0) / TICKS_PER_MS / 1000
  expect(within(folded).getAllByRole('cell')[1]!.textContent).toBe(`${seconds.toFixed(2)} s`)
  await userEvent.click(screen.getByRole('button', { name: 'Show all 100' }))
  expect(names()).toHaveLength(102)
})
