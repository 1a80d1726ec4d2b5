import type { SourceState } from '../client/state.ts'
import { useCaptureState } from '../client/useCaptureState.ts'
import { useView } from '../client/view.ts'

/** The chosen sources that the capture has. */
export function useWatched(): readonly SourceState[] {
  const { sources } = useCaptureState()
  const { view } = useView()
  return sources.filter(({ id }) => view.sources.includes(id))
}
