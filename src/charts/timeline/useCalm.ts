import { useEffect, useRef, useState } from 'react'
import { beginWork } from './settle.ts'

/**
 * What changes with each frame of a movement, for texts and edges that need not: the first change shows at once, later
 * ones every `everyMs`, and the last one always. A frame in which nothing but canvases changes costs the page a fraction.
 */
export function useCalm<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value)
  const dueMsRef = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (Object.is(value, shown)) return undefined
    const show = (): void => {
      dueMsRef.current = performance.now() + everyMs
      setShown(value)
    }
    const waitMs = dueMsRef.current - performance.now()
    const endWork = beginWork()
    const timer = setTimeout(show, Math.max(0, waitMs))
    return () => {
      clearTimeout(timer)
      endWork()
    }
  }, [value, shown, everyMs])
  return shown
}
