import { useEffect, useState } from 'react'
import type { FileState, SourceId } from '../../../capture/client/state.ts'
import { useCapture } from '../../../capture/client/view.ts'

/** Feeds with data for each source; requested again whenever a file or an entry has ended. */
export function useFeeds(files: readonly FileState[]): ReadonlyMap<SourceId, readonly string[]> {
  const capture = useCapture()
  const [feeds, setFeeds] = useState<ReadonlyMap<SourceId, readonly string[]>>(new Map())
  const ended = files.map(({ id, phase, sources }) => `${id} ${phase} ${sources.length}`).join()

  useEffect(() => {
    if (ended === '') return undefined
    const abort = new AbortController()
    capture.request('host.summary', null, abort.signal).then(
      ({ rows }) => {
        const bySource = new Map<SourceId, string[]>()
        for (const { source, feed } of rows) {
          const known = bySource.get(source) ?? []
          if (!known.includes(feed)) bySource.set(source, [...known, feed])
        }
        if (!abort.signal.aborted) setFeeds(bySource)
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [capture, ended])

  return feeds
}
