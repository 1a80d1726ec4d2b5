import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls an element that a link refers to into view, once. */
export function useShown(isShown: boolean): RefObject<HTMLLIElement | null> {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) ref.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  return ref
}

/** For this time, ms, the card is scrolled back when cards above it push it out of view. */
const KEEP_MS = 10_000
/** Events by which the user takes over the scroll position. */
const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Highlights the card with that label, for a link to it, and scrolls it into view as soon as it exists. Keeps it in
 * view while the page loads, until the user scrolls.
 */
export function useShownCard(label: string): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  const shownRef = useRef({ label: '', untilMs: 0 })
  useEffect(() => {
    const release = (): void => {
      shownRef.current.untilMs = 0
    }
    for (const move of MOVES) window.addEventListener(move, release, { passive: true })
    return () => {
      for (const move of MOVES) window.removeEventListener(move, release)
    }
  }, [])
  // Without dependencies: a card is rendered when its first figures arrive.
  useEffect(() => {
    const shown = shownRef.current
    if (shown.label === label && performance.now() >= shown.untilMs) return
    const cards = ref.current?.querySelectorAll<HTMLElement>('section[aria-label]') ?? []
    for (const card of cards) {
      const isMeant = label !== '' && card.getAttribute('aria-label') === label
      if (isMeant) {
        card.setAttribute('aria-current', 'true')
        card.scrollIntoView({ block: 'nearest' })
        if (shown.label !== label) shownRef.current = { label, untilMs: performance.now() + KEEP_MS }
      } else card.removeAttribute('aria-current')
    }
    if (label === '') shownRef.current = { label: '', untilMs: 0 }
  })
  return ref
}
