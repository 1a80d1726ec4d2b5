import { useEffect, useRef, useState } from 'react'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import type { ErrorInfo } from '../../../../capture/client/state.ts'
import type { ReferenceSearch } from '../../contract.ts'

/** Interval of reading the progress, ms. */
const PROGRESS_MS = 300

interface References {
  readonly state: 'none' | 'running' | 'done' | 'stopped' | 'failed'
  /** Progress of the search; null: nothing read yet. */
  readonly search: ReferenceSearch | null
  readonly failure: ErrorInfo | null
  readonly find: (collections: readonly string[]) => void
  readonly stop: () => void
}

/** Searches for documents that refer to a document. A stop keeps results; leaving the page ends it. */
export function useReferences(database: string, id: string): References {
  const capture = useCapture()
  const { attempt, failure } = useAttempt()
  const [state, setState] = useState<References['state']>('none')
  const [search, setSearch] = useState<ReferenceSearch | null>(null)
  const abortRef = useRef<AbortController | null>(null)
  useEffect(() => () => abortRef.current?.abort(), [])

  const find = async (collections: readonly string[]): Promise<void> => {
    const abort = new AbortController()
    abortRef.current = abort
    const name = crypto.randomUUID()
    setSearch(null)
    setState('running')
    const timer = setInterval(() => {
      // A failed reading of the progress is replaced by the next one; the search request itself reports its errors.
      capture.request('documents.referencesSoFar', { search: name }, abort.signal).then(
        (soFar) => {
          if (soFar !== null && !abort.signal.aborted) setSearch(soFar)
        },
        () => undefined,
      )
    }, PROGRESS_MS)
    const ended = await attempt('References not found', () =>
      capture.request('documents.references', { search: name, database, id, collections }, abort.signal),
    )
    clearInterval(timer)
    if (ended.ok) setSearch(ended.result)
    setState(ended.ok ? 'done' : abort.signal.aborted ? 'stopped' : 'failed')
    abort.abort()
  }
  return {
    state,
    search,
    failure,
    find: (collections) => void find(collections),
    stop: () => abortRef.current?.abort(),
  }
}
