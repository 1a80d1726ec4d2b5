import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls to a part that a click opens below the visible area; does not scroll for one that a link has opened. */
export function useScrollToOpened(isOpen: boolean): RefObject<HTMLDivElement | null> {
  const partRef = useRef<HTMLDivElement>(null)
  const wasOpenRef = useRef(isOpen)
  useEffect(() => {
    if (isOpen && !wasOpenRef.current) partRef.current?.scrollIntoView({ block: 'nearest' })
    wasOpenRef.current = isOpen
  }, [isOpen])
  return partRef
}
