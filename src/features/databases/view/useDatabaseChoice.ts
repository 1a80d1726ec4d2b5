import { useState } from 'react'
import { MAX_SOURCES } from '../../../capture/client/state.ts'
import type { SourceId } from '../../../capture/client/state.ts'

export interface DatabaseChoice {
  readonly chosen: ReadonlySet<SourceId>
  readonly toggle: (id: SourceId) => void
  readonly clear: () => void
  /** Whether more are chosen than can be watched at once. */
  readonly tooMany: boolean
}

/** Ticked databases that are not opened yet; initially the watched ones. */
export function useDatabaseChoice(initial: readonly SourceId[]): DatabaseChoice {
  const [chosen, setChosen] = useState<ReadonlySet<SourceId>>(() => new Set(initial))
  return {
    chosen,
    toggle: (id) =>
      setChosen((old) => {
        const next = new Set(old)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    clear: () => setChosen(new Set()),
    tooMany: chosen.size > MAX_SOURCES,
  }
}
