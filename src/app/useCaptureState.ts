import { useSyncExternalStore } from 'react'
import type { CaptureState } from '../capture/state.ts'
import { useCapture } from '../capture/view.ts'

/** The newest state; renders up to ten times a second, so only what shows it calls this. */
export function useCaptureState(): CaptureState {
  const capture = useCapture()
  return useSyncExternalStore(capture.subscribe, capture.getState)
}
