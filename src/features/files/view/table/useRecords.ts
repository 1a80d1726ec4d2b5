import { useEffect, useState } from 'react'
import type { RawRef } from '../../../../capture/raw/queries.ts'
import { MAX_VALUE_BYTES } from '../../../../capture/raw/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { requestRaw } from '../raw/useRaw.ts'
import type { RecordList } from './lists.ts'
import { findLists } from './lists.ts'
import type { Records } from './records.ts'
import { readRecords } from './records.ts'

const NONE: readonly RecordList[] = []

/** Lists of objects in a completely read document; null: not known yet. */
export function useRecordLists({ file, entry }: RawRef, isRead: boolean): readonly RecordList[] | null {
  const capture = useCapture()
  const [lists, setLists] = useState<readonly RecordList[] | null>(null)
  useEffect(() => {
    if (!isRead) return undefined
    const abort = new AbortController()
    const { signal } = abort
    findLists((at, first, count) =>
      requestRaw(capture, 'raw.children', { file, entry, at, first, count }, signal),
    ).then(
      (found) => {
        if (!signal.aborted) setLists(found)
      },
      // The status of the document has the error.
      () => {
        if (!signal.aborted) setLists(NONE)
      },
    )
    return () => abort.abort()
  }, [capture, file, entry, isRead])
  return lists
}

export interface KnownRecords {
  readonly records: Records
  /** Whether the list continues after these rows. */
  readonly isCut: boolean
}

/** Rows of a list, from at most `MAX_VALUE_BYTES` of it; null: not loaded. */
export function useRecords(
  { file, entry }: RawRef,
  { at }: RecordList,
): { readonly known: KnownRecords | null; readonly error: unknown } {
  const capture = useCapture()
  const [state, setState] = useState<{ at: number; known: KnownRecords | null; error: unknown } | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    requestRaw(capture, 'raw.value', { file, entry, at, maxBytes: MAX_VALUE_BYTES }, abort.signal)
      .then(({ written, isCut }) => ({ records: readRecords(written, isCut), isCut }))
      .then(
        (known) => {
          if (!abort.signal.aborted) setState({ at, known, error: null })
        },
        (error: unknown) => {
          if (!abort.signal.aborted) setState({ at, known: null, error })
        },
      )
    return () => abort.abort()
  }, [capture, file, entry, at])
  return state?.at === at ? state : { known: null, error: null }
}
