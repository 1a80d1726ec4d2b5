import { sourceKey, type SourceId } from './state.ts'
import { useCaptureState } from './useCaptureState.ts'
import { useView } from './view.ts'

interface Collected {
  readonly source: SourceId
  /** I/O and index batches of the database are collected, which panels of a database do not require. */
  readonly isCollected: boolean
  readonly collect: () => void
}

export function useCollected(database: string): Collected {
  const { sources } = useCaptureState()
  const { view, change } = useView()
  const source: SourceId = `db:${database}`
  return {
    source,
    isCollected: sources.some(({ id }) => sourceKey(id) === sourceKey(source)),
    collect: () => change({ sources: [...view.sources, source] }),
  }
}
