import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef, useState, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { useShortcuts } from './useShortcuts.ts'

function Stage(): ReactNode {
  const [count, setCount] = useState(0)
  const area = useRef<HTMLElement>(null)
  useShortcuts(area, { n: () => setCount(count + 1) })
  return (
    <>
      <button type="button">Outside</button>
      <section ref={area} aria-label="Chart and list" tabIndex={-1}>
        <p>Count {count}</p>
        <input type="checkbox" aria-label="Kind" />
        <input type="text" aria-label="Name" />
        <select aria-label="Span">
          <option>1 min</option>
        </select>
        <button type="button" key={count}>
          Card
        </button>
      </section>
    </>
  )
}

it('acts from a tick box, a button and the panel itself, and not from outside or where one types', async () => {
  const user = userEvent.setup()
  render(<Stage />)
  const counted = (): string | null => screen.getByText(/^Count/).textContent
  await user.keyboard('n')
  expect(counted()).toBe('Count 0')
  await user.click(screen.getByRole('checkbox'))
  await user.keyboard('n')
  expect(counted()).toBe('Count 1')
  for (const name of ['Name', 'Span']) {
    screen.getByLabelText(name).focus()
    await user.keyboard('n')
  }
  await user.click(screen.getByRole('button', { name: 'Outside' }))
  await user.keyboard('n')
  expect(counted()).toBe('Count 1')
  await user.click(screen.getByText(/^Count/))
  await user.keyboard('n')
  expect(counted()).toBe('Count 2')
})

it('works on after the focused element is replaced', async () => {
  const user = userEvent.setup()
  render(<Stage />)
  screen.getByRole('button', { name: 'Card' }).focus()
  await user.keyboard('n')
  expect(document.activeElement).toBe(document.body)
  await user.keyboard('nn')
  expect(screen.getByText('Count 3')).toBeTruthy()
})
