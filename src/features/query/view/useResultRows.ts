import { useRef, useState } from 'react'
import { CaptureError } from '../../../capture/client/client.ts'
import { useCapture } from '../../../capture/client/view.ts'
import type { QueryPage, QueryText } from '../contract.ts'
import { FollowedPages } from './followed-pages.ts'
import { PAGE_SIZE } from './useQueryRun.ts'

interface ResultRows {
  /** Number of rows of a table: of all results, or, until they are counted, of those read and a page more. */
  readonly total: number
  /** Changes when a row number may have another result. */
  readonly version: string
  /** Whether the results changed on the server since the first page. */
  readonly hasChanged: boolean
  /** Reads results as text. Errors: `CaptureError`. */
  readonly rowsAt: (offset: number, limit: number, signal: AbortSignal) => Promise<readonly string[]>
}

/** Whether the number of results is known, or pages of them can be followed. Otherwise only the first page is shown. */
export const isCounted = ({ scanned, hasLists }: QueryPage): boolean => scanned === 0 && !hasLists

/**
 * Results of a query by their number. Pages are requested in any order, and one after another if the server leaves
 * results out. `first`: the first page. `onCounted` is called when the last of such pages has been read.
 */
export function useResultRows(query: QueryText, first: QueryPage, onCounted: (count: number) => void): ResultRows {
  const capture = useCapture()
  const [hasChanged, setChanged] = useState(false)
  const requestPage = async (start: number, pageSize: number, signal: AbortSignal): Promise<QueryPage> => {
    const outcome = await capture.request('query.run', { ...query, start, pageSize }, signal)
    if (outcome.outcome !== 'results')
      throw new CaptureError({
        endpoint: 'queries',
        status: null,
        message: 'message' in outcome ? outcome.message : 'The query cannot be run any more. Run it again.',
        serverMessage: null,
        hint: '',
      })
    if (outcome.page.etag !== first.etag) setChanged(true)
    return outcome.page
  }
  const followedRef = useRef<FollowedPages | null>(null)
  /** Number of results read and, if all have been read, of all; null: pages are requested in any order. */
  const [followed, setFollowed] = useState(
    first.leavesOut ? { read: first.rows.length, total: null as number | null } : null,
  )

  const follow = async (count: number, signal: AbortSignal): Promise<readonly string[]> => {
    const pages = (followedRef.current ??= new FollowedPages(first, (start, aborted) =>
      requestPage(start, PAGE_SIZE, aborted),
    ))
    await pages.read(count, signal)
    const { rows, total } = pages
    setFollowed({ read: rows.length, total })
    if (total !== null) onCounted(total)
    return rows
  }
  // For a query with a filter, the server reports how many documents it read, not the number of results.
  const counted = !isCounted(first) ? first.rows.length : (first.total ?? first.rows.length)
  const total = followed === null ? counted : (followed.total ?? followed.read + PAGE_SIZE)
  return {
    total,
    version: followed === null ? '' : 'followed',
    hasChanged,
    rowsAt: async (offset, limit, signal) => {
      const end = offset + Math.min(limit, total - offset)
      if (end <= first.rows.length) return first.rows.slice(offset, end)
      if (followed === null) {
        const page = await requestPage(offset, limit, signal)
        // A later page is the first one that leaves something out: from here on, positions are not those of results.
        if (page.skipped === 0) return page.rows
      }
      return (await follow(end, signal)).slice(offset, end)
    },
  }
}
