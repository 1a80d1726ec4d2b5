import { sourceKey, type SourceId } from './state.ts'
import { useCaptureState } from './useCaptureState.ts'
import { useView } from './view.ts'

interface Collected {
  /** Id of the source as it is collected, which may spell the name in another case. */
  readonly source: SourceId
  /** I/O and index batches of the database are collected, which panels of a database do not require. */
  readonly isCollected: boolean
  readonly collect: () => void
}

export function useCollected(database: string): Collected {
  const { sources } = useCaptureState()
  const { view, change } = useView()
  const named: SourceId = `db:${database}`
  const collected = sources.find(({ id }) => sourceKey(id) === sourceKey(named))?.id
  const source = collected ?? named
  return {
    source,
    isCollected: collected !== undefined,
    collect: () => change({ sources: [...view.sources, source] }),
  }
}
