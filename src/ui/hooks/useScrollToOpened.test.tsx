import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { useScrollToOpened } from './useScrollToOpened.ts'

const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(() => undefined)
afterEach(() => scrolled.mockClear())

function Part({ isOpen }: { readonly isOpen: boolean }): ReactNode {
  const partRef = useScrollToOpened(isOpen)
  return isOpen ? <div ref={partRef} /> : null
}

it('scrolls to a part each time that it is opened', () => {
  const { rerender } = render(<Part isOpen={false} />)
  for (const isOpen of [true, false, true]) rerender(<Part isOpen={isOpen} />)
  expect(scrolled).toHaveBeenCalledTimes(2)
})

it('leaves the page where it is when a link has opened it', () => {
  const { rerender } = render(<Part isOpen />)
  rerender(<Part isOpen />)
  expect(scrolled).not.toHaveBeenCalled()
})
