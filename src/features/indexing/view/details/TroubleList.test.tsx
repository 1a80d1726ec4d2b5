import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeIndexing } from '../../../../testing/fake-indexing.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { TroubleList } from './TroubleList.tsx'

afterEach(cleanup)

it('shows the first three of many faulty indexes, and the others at a click', async () => {
  const capture = await fakeIndexing({ seconds: 5 })
  const [first] = (await capture.request('indexing.indexes', { sources: ['db:shop'] })).indexes
  if (first === undefined) throw new Error('no index')
  const faulty = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...first, key: `${first.key}${String(i)}`, trouble: 'faulty' as const }))
  const { unmount } = renderPanel(<TroubleList indexes={faulty(3)} manySources={false} />, capture)
  expect(screen.getAllByText(/could not open it/)).toHaveLength(3)
  expect(screen.queryByRole('button')).toBeNull()
  unmount()
  renderPanel(<TroubleList indexes={faulty(17)} manySources={false} />, capture)
  expect(screen.getAllByText(/could not open it/)).toHaveLength(3)
  fireEvent.click(screen.getByRole('button', { name: 'and 14 others' }))
  expect(screen.getAllByText(/could not open it/)).toHaveLength(17)
  fireEvent.click(screen.getByRole('button', { name: 'Show only 3' }))
  expect(screen.getAllByText(/could not open it/)).toHaveLength(3)
})
