import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { useHeld } from './useHeld.ts'

function Subject({ value, holds }: { readonly value: string; readonly holds: boolean }) {
  const held = useHeld(value, holds)
  return (
    <button type="button" {...held.handlers}>
      {held.value}
      {held.isHeld ? ', held' : ''}
    </button>
  )
}

describe('useHeld', () => {
  it('keeps a value while the mouse rests on it, and shows the newest when it leaves', () => {
    const { rerender } = render(<Subject value="first" holds />)
    const subject = screen.getByRole('button')
    fireEvent.pointerEnter(subject, { pointerType: 'mouse' })
    rerender(<Subject value="second" holds />)
    rerender(<Subject value="third" holds />)
    expect(subject.textContent).toBe('first, held')
    fireEvent.pointerLeave(subject)
    expect(subject.textContent).toBe('third')
  })

  it('holds nothing for a finger, nor where only the user changes what is shown', () => {
    const { rerender } = render(<Subject value="first" holds />)
    const subject = screen.getByRole('button')
    fireEvent.pointerEnter(subject, { pointerType: 'touch' })
    rerender(<Subject value="second" holds />)
    expect(subject.textContent).toBe('second')
    fireEvent.pointerLeave(subject)
    fireEvent.pointerEnter(subject, { pointerType: 'mouse' })
    rerender(<Subject value="third" holds={false} />)
    expect(subject.textContent).toBe('third')
  })
})
