import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { LongText } from './LongText.tsx'

it('shows the beginning of a long text, and more of it on request', async () => {
  const text = `${'x'.repeat(3999)}\u{1F426}${'y'.repeat(300_000)}`
  const { container } = render(<LongText text={text} label="Error" />)
  const shown = (): number => container.querySelector('pre')?.textContent.length ?? 0
  // No half of a pair.
  expect(shown()).toBe(3999)
  await userEvent.click(screen.getByRole('button', { name: 'More: 300,002 characters' }))
  expect(shown()).toBe(80_000)
  await userEvent.click(screen.getByRole('button', { name: /^More/ }))
  expect(shown()).toBe(text.length)
  expect(screen.queryByRole('button')).toBeNull()
})

it('shows a short one as it is', () => {
  const { container } = render(<LongText text="No space left" isInline />)
  expect(container.innerHTML).toBe('<bdi>No space left</bdi>')
})
