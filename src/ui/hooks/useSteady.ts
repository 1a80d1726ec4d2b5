import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function that stays the same and calls the newest `run`: for events of parts that are expensive to draw again. Not to be
 * called while rendering.
 */
export function useSteady<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
