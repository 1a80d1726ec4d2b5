import { useEffect, useRef, type RefObject } from 'react'

/** Returns a ref that is true once the component is unmounted, for work that ends after an await. */
export function useIsLeft(): RefObject<boolean> {
  const isLeftRef = useRef(false)
  useEffect(() => {
    isLeftRef.current = false
    return () => {
      isLeftRef.current = true
    }
  }, [])
  return isLeftRef
}
