import { useEffect, useRef, type RefObject } from 'react'

/** Brings an element that a link means into view, once. */
export function useShown(isShown: boolean): RefObject<HTMLLIElement | null> {
  const ref = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) ref.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  return ref
}

/** Marks a card that a link means, by its label, and brings it into view as soon as it is there. */
export function useShownCard(label: string): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  const shownRef = useRef('')
  // Without dependencies: a card comes with its first figures.
  useEffect(() => {
    if (shownRef.current === label) return
    const cards = ref.current?.querySelectorAll<HTMLElement>('section[aria-label]') ?? []
    for (const card of cards) {
      const isMeant = label !== '' && card.getAttribute('aria-label') === label
      if (isMeant) {
        card.setAttribute('aria-current', 'true')
        card.scrollIntoView({ block: 'nearest' })
        shownRef.current = label
      } else card.removeAttribute('aria-current')
    }
    if (label === '') shownRef.current = ''
  })
  return ref
}
