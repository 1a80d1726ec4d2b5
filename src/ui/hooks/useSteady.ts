import { useCallback, useLayoutEffect, useRef } from 'react'

/** A stable function that calls the newest `run`, for handlers of expensive parts. Not while rendering. */
export function useSteady<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(run)
  useLayoutEffect(() => {
    latest.current = run
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
