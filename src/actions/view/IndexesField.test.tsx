import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import { nameList, namesIn } from '../name-list.ts'
import { IndexesField } from './IndexesField.tsx'

const ODD = "Auto/Orders/By'x,y'"
const index = (name: string, engine: string | null = 'Lucene') => ({ name, engine, facts: { sizeBytes: 2 ** 20 } })

function show(response: object, initial = ''): { readonly chosen: () => readonly string[] } {
  const capture = stubCapture()
  capture.responses.set('actions.indexes', () => response)
  const values = [initial]
  function Field(): ReactNode {
    const [value, setValue] = useState(initial)
    const change = (next: string): void => {
      values.push(next)
      setValue(next)
    }
    return <IndexesField label="Indexes" database="shop" value={value} onChange={change} />
  }
  renderPanel(<Field />, capture)
  return { chosen: () => namesIn(values.at(-1)) }
}

it('lists the Lucene indexes to tick, whatever is in their names, and says how many are of another engine', async () => {
  const user = userEvent.setup()
  const indexes = [index(ODD), index('B', null), index('C', 'Corax'), index('ReplacementOf/B'), index('D', 'Corax')]
  const { chosen } = show({ loaded: true, indexes })
  await user.click(await screen.findByRole('checkbox', { name: `${ODD} 1.00 MiB` }))
  expect(chosen()).toEqual([ODD])
  expect(screen.getByText('2 Corax indexes cannot be compacted: reset instead.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Choose none' }))
  expect(chosen()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Choose all' }))
  expect(chosen()).toEqual([ODD, 'B'])
})

it('shows what was chosen before and does not exist any more, to be left out', async () => {
  const { chosen } = show({ loaded: true, indexes: [index('A')] }, nameList(['Nope', 'A']))
  expect(await screen.findByText('Indexes: 2 chosen')).toBeTruthy()
  await userEvent.setup().click(screen.getByRole('checkbox', { name: /^Nope does not exist/ }))
  expect(chosen()).toEqual(['A'])
})

it('lists none of a database that is not loaded, and loads it not', async () => {
  show({ loaded: false })
  expect((await screen.findByRole('status')).textContent).toContain('is not loaded, so its indexes are not listed')
  expect(screen.queryByRole('checkbox')).toBeNull()
})
