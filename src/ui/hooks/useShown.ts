import { useEffect, useRef, type RefObject } from 'react'

/** Brings an element that a link means into view, once. */
export function useShown(isShown: boolean): RefObject<HTMLLIElement | null> {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) ref.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  return ref
}

/** Cards above it that come with their first figures push it out of view: it is brought back for so long, ms. */
const KEEP_MS = 10_000
/** Whoever moves the page decides what is in view. */
const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Marks a card that a link means, by its label, and brings it into view as soon as it is there. It stays in view while the
 * page fills, until the user moves.
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
  // Without dependencies: a card comes with its first figures.
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
