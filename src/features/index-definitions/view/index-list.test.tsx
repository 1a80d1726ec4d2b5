import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ActionIndex } from '../../../actions/contract.ts'
import { TICKS_PER_SECOND, type Ticks } from '../../../base/ticks.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { sourceState, stubCapture } from '../../../testing/stub-capture.ts'
import { IndexList } from './IndexList.tsx'

const indexOf = (name: string): ActionIndex => ({
  name,
  facts: {},
  type: 'Map',
  engine: 'Corax',
  isStale: false,
  lag: 0,
  lastIndexingTicks: null,
  lastQueryingTicks: null,
  memoryBytes: null,
})
const rows = ['A', 'B', 'C'].map(indexOf)
const list = <IndexList database="Shop" rows={rows} shown="" isAlone onShow={() => undefined} />
const names = (): readonly (string | undefined)[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('bdi')?.textContent)

it('shows how busy indexes were by the batches that are collected, and sorts by it', async () => {
  const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
  const capture = stubCapture({ sources: [sourceState({ kind: 'database', name: 'Shop' })], nowTicks: at(10_004) })
  const info = (name: string) => ({ key: `db:Shop|${name}`, name, firstTicks: at(1), running: null })
  capture.responses.set('indexing.indexes', () => ({ indexes: ['A', 'B'].map(info), further: 0, knownTicks: {} }))
  const summary = (name: string, busyShare: number) => ({
    index: `db:Shop|${name}`,
    busyShare,
    knownTicks: 900 * TICKS_PER_SECOND,
    counts: { batches: 3, empty: 0, failed: 0, training: 0 },
    running: 0,
    documentsIn: 7,
  })
  capture.responses.set('indexing.summary', () => ({ indexes: [summary('A', 0.012), summary('B', 0.34)], largest: [] }))
  renderPanel(list, capture)
  expect(await screen.findByRole('link', { name: 'Batches of B: busy 34.0 %' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Batches of A: busy 1.20 %' }).parentElement?.title).toContain('in 3 batches')
  expect(capture.calls.map(([name]) => name)).toContain('indexing.want')
  expect(names()).toEqual(['A', 'B', 'C'])
  fireEvent.click(screen.getByRole('button', { name: 'Busy' }))
  await expect.poll(names).toEqual(['B', 'A', 'C'])
  fireEvent.click(screen.getByRole('button', { name: 'Busy' }))
  await expect.poll(names).toEqual(['A', 'B', 'C'])
})

it('sorts indexes without a figure last in both directions', async () => {
  const lagging = [{ ...indexOf('A'), lag: null }, { ...indexOf('B'), lag: 7 }, indexOf('C')]
  renderPanel(<IndexList database="Shop" rows={lagging} shown="" isAlone onShow={() => undefined} />, stubCapture())
  fireEvent.click(screen.getByRole('button', { name: 'Lag' }))
  await expect.poll(names).toEqual(['B', 'C', 'A'])
  fireEvent.click(screen.getByRole('button', { name: 'Lag' }))
  await expect.poll(names).toEqual(['C', 'B', 'A'])
})

it('requests no batches of a database that is not collected, and offers to', () => {
  const capture = stubCapture()
  renderPanel(list, capture)
  expect(screen.getByRole('button', { name: 'Collect them' })).toBeTruthy()
  expect(capture.calls.map(([name]) => name)).not.toContain('indexing.want')
})

it('requests the batches of a database by the spelling with which it is collected', async () => {
  const capture = stubCapture({ sources: [sourceState({ kind: 'database', name: 'shop' })] })
  renderPanel(list, capture)
  expect(screen.queryByRole('button', { name: 'Collect them' })).toBeNull()
  await expect.poll(() => capture.calls).toContainEqual(['indexing.want', { sources: ['db:shop'], budgets: false }])
})

it('asks for the height of ten rows above an open index, and of all rows else', () => {
  const many = Array.from({ length: 97 }, (_, i) => indexOf(`I${String(i)}`))
  const heightOf = (isAlone: boolean): string => {
    const { container } = renderPanel(
      <IndexList database="Shop" rows={many} shown="" isAlone={isAlone} onShow={() => undefined} />,
      stubCapture(),
    )
    return container.querySelector<HTMLElement>('.raised')?.style.height ?? ''
  }
  expect([heightOf(false), heightOf(true)]).toEqual(['334px', '2944px'])
})
