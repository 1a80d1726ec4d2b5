import { useEffect, useState } from 'react'
import { readAgain, type Recording } from '../../../capture/archive/recordings.ts'

/** A recorder adds files about once a minute. */
const EVERY_MS = 60_000

/** Keeps the list of a recording that is served true while it is shown. Returns why the last reading failed; empty: it did not. */
export function useReadAgain(recording: Recording): string {
  const [failure, setFailure] = useState('')
  useEffect(() => {
    if (recording.again === undefined) return
    const timer = setInterval(() => {
      readAgain(recording).then(
        () => setFailure(''),
        (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
      )
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [recording])
  return failure
}
