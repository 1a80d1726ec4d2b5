import { act, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useShownCard } from './useShown.ts'

const scrolled = vi.fn<(this: Element) => void>()
beforeEach(() => {
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.call(this)
  })
})
afterEach(() => {
  scrolled.mockReset()
  vi.restoreAllMocks()
})

function Panel({ label, cards }: { readonly label: string; readonly cards: readonly string[] }): ReactNode {
  return (
    <main ref={useShownCard(label)}>
      {cards.map((card) => (
        <section key={card} aria-label={card} />
      ))}
    </main>
  )
}

it('brings a card into view once it is there, and back while others come above it, until the user moves', () => {
  const { rerender } = render(<Panel label="Starts" cards={['CPU']} />)
  expect(scrolled).toHaveBeenCalledTimes(0)
  rerender(<Panel label="Starts" cards={['CPU', 'Starts']} />)
  expect(screen.getByRole('region', { name: 'Starts' }).getAttribute('aria-current')).toBe('true')
  expect(scrolled).toHaveBeenCalledTimes(1)
  rerender(<Panel label="Starts" cards={['CPU', 'Volume', 'Starts']} />)
  expect(scrolled).toHaveBeenCalledTimes(2)
  act(() => void window.dispatchEvent(new Event('wheel')))
  rerender(<Panel label="Starts" cards={['CPU', 'Volume', 'Memory', 'Starts']} />)
  expect(scrolled).toHaveBeenCalledTimes(2)
})

it('leaves the page where it is where no card is meant', () => {
  const { rerender } = render(<Panel label="" cards={['CPU']} />)
  rerender(<Panel label="" cards={['CPU', 'Volume']} />)
  expect(scrolled).toHaveBeenCalledTimes(0)
})
