import { useSyncExternalStore } from 'react'
import type { CaptureState } from './state.ts'
import { useCapture } from './view.ts'

/** The newest state of the capture; renders at most ten times a second. */
export function useCaptureState(): CaptureState {
  const capture = useCapture()
  return useSyncExternalStore(capture.subscribe, capture.getState)
}
