import { useEffect, useState } from 'react'
import type { CaptureClient } from '../../../../capture/client/client.ts'
import type { RawRequests, RawRef, RawSearchStatus, RawStatus } from '../../../../capture/raw/queries.ts'
import { useCapture } from '../../../../capture/client/view.ts'

/** Interval, ms, at which running work of the worker is polled. */
const LOOK_EVERY_MS = 120

export const requestRaw = <Name extends keyof RawRequests>(
  capture: CaptureClient,
  name: Name,
  params: RawRequests[Name]['params'],
  signal?: AbortSignal,
): Promise<RawRequests[Name]['response']> => capture.request(name, params, signal)

/** Reading state of the document; null: not known yet. The worker keeps a document open while it is shown. */
export function useRawStatus({ file, entry }: RawRef): { readonly status: RawStatus | null; readonly error: unknown } {
  const capture = useCapture()
  const [known, setKnown] = useState<{ status: RawStatus | null; error: unknown }>({ status: null, error: null })

  useEffect(() => {
    const ref = { file, entry }
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      try {
        const status = await requestRaw(capture, 'raw.status', ref, abort.signal)
        if (abort.signal.aborted) return
        setKnown({ status, error: null })
        if (!status.isWhole && !status.isStopped && status.error === null)
          timer = setTimeout(() => void look(), LOOK_EVERY_MS)
      } catch (error) {
        if (!abort.signal.aborted) setKnown((before) => ({ ...before, error }))
      }
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
      // A worker that is gone has dropped it as well.
      void requestRaw(capture, 'raw.leave', ref).catch(() => undefined)
    }
  }, [capture, file, entry])

  return known
}

/** State of a search; null: no search. */
export function useRawSearch({ file, entry }: RawRef, find: string): RawSearchStatus | null {
  const capture = useCapture()
  const [found, setFound] = useState<{ find: string; status: RawSearchStatus } | null>(null)

  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      try {
        const status = await requestRaw(capture, 'raw.search', { file, entry, find }, abort.signal)
        if (abort.signal.aborted) return
        setFound({ find, status })
        if (!status.isWhole) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
      } catch {
        // The status of the document has the error.
      }
    }
    if (find !== '') void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
      // The rest of the search is not needed.
      if (find !== '') void requestRaw(capture, 'raw.endSearch', { file, entry }).catch(() => undefined)
    }
  }, [capture, file, entry, find])

  return find !== '' && found?.find === find ? found.status : null
}
