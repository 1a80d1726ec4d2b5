import { useEffect, useState } from 'react'
import type { RawRef, RawStatus } from '../../../../capture/raw/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import type { Place } from '../raw/place.ts'
import { requestRaw } from '../raw/useRaw.ts'
import type { LogLine } from './log-lines.ts'
import { LogReader } from './log-lines.ts'

/** Rows of the raw viewer in one part of a log, which is kept, filtered and searched as a whole. */
export const PART_ROWS = 100_000
/** Maximum number of rows in a response. */
const REQUEST_ROWS = 1000

export interface LogPart {
  readonly lines: readonly LogLine[]
  readonly error: unknown
}

/** Lines of one part of a log; null: not loaded. */
export function useLogLines(
  { file, entry }: RawRef,
  { rows, isWhole, isStopped, error }: RawStatus,
  part: number,
): LogPart | null {
  const capture = useCapture()
  const [known, setKnown] = useState<(LogPart & { readonly part: number }) | null>(null)
  const first = part * PART_ROWS
  const end = Math.min(rows, first + PART_ROWS)
  const isReady = isWhole || isStopped || error !== null || rows >= first + PART_ROWS

  useEffect(() => {
    if (!isReady) return undefined
    const abort = new AbortController()
    const read = async (): Promise<void> => {
      const reader = new LogReader()
      for (let row = first; row < end; row += REQUEST_ROWS) {
        const count = Math.min(REQUEST_ROWS, end - row)
        reader.feed(await requestRaw(capture, 'raw.rows', { file, entry, first: row, count, find: '' }, abort.signal))
        if (abort.signal.aborted) return
      }
      reader.finish()
      setKnown({ part, lines: reader.lines, error: null })
    }
    read().catch((failure: unknown) => {
      if (!abort.signal.aborted) setKnown({ part, lines: [], error: failure })
    })
    return () => abort.abort()
  }, [capture, file, entry, part, first, end, isReady])

  return known?.part === part ? known : null
}

/** The shown part of a log: that of the last jump, or the one chosen after it. */
export function usePartOf(
  { file, entry }: RawRef,
  status: RawStatus,
  place: Place | null,
): readonly [number, (part: number) => void] {
  const capture = useCapture()
  const [part, setPart] = useState(0)
  const isReachable = place !== null && (place.at < status.readBytes || status.isWhole)
  useEffect(() => {
    if (place === null || !isReachable) return undefined
    const abort = new AbortController()
    requestRaw(capture, 'raw.rowOf', { file, entry, at: place.at }, abort.signal).then(
      (row) => {
        if (!abort.signal.aborted) setPart(Math.floor(row / PART_ROWS))
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [capture, file, entry, place, isReachable])
  return [part, setPart]
}
