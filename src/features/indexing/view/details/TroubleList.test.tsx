import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { TroubleList } from './TroubleList.tsx'

it('shows the first three of many faulty indexes, and the others at a click', async () => {
  const capture = await fakeIndexing({ seconds: 5 })
  const [first] = (await capture.request('indexing.indexes', { sources: ['db:shop'] })).indexes
  if (first === undefined) throw new Error('no index')
  const faulty = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...first, key: `${first.key}${String(i)}`, trouble: 'faulty' as const }))
  const listOf = (count: number) => {
    cleanup()
    renderPanel(<TroubleList indexes={faulty(count)} manySources={false} />, capture)
    return within(screen.getByRole('region', { name: 'Faulty and changed indexes' }))
  }
  const few = listOf(3)
  expect(few.getAllByText(/could not open it/)).toHaveLength(3)
  expect(few.queryByRole('button')).toBeNull()
  const many = listOf(17)
  const shown = (): number => many.getAllByText(/could not open it/).length
  expect(shown()).toBe(3)
  fireEvent.click(many.getByRole('button', { name: 'and 14 others' }))
  expect(shown()).toBe(17)
  fireEvent.click(many.getByRole('button', { name: 'Show only 3' }))
  expect(shown()).toBe(3)
})
