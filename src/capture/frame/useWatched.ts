import type { SourceState } from '../client/state.ts'
import { useCaptureState } from '../client/useCaptureState.ts'
import { useView } from '../client/view.ts'

/** The sources that are chosen, as far as the capture has them. */
export function useWatched(): readonly SourceState[] {
  const { sources } = useCaptureState()
  const { view } = useView()
  return sources.filter(({ id }) => view.sources.includes(id))
}
