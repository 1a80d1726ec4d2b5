import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LongText } from './LongText.tsx'

it('searches the whole text, not only the part in the editor, by its shortcut', () => {
  render(<LongText label="Text of a" text={`${'line\n'.repeat(100_000)}needle`} />)
  const isHandled = !fireEvent.keyDown(screen.getByRole('slider', { name: 'Part' }), { key: 'f', ctrlKey: true })
  expect(isHandled).toBe(true)
  const field = screen.getByRole('searchbox', { name: 'Find in the whole text' })
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, { target: { value: 'needle' } })
  fireEvent.click(screen.getByRole('button', { name: 'Find next' }))
  expect(screen.getByText('At character 500,001.')).toBeTruthy()
  expect(screen.getByText('Part 3 of 3')).toBeTruthy()
})
