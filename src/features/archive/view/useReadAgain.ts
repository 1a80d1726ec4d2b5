import { useEffect, useState } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import { readListAgain, type Recording } from '../../../capture/archive/recordings.ts'

/** Interval of reading the recording again, ms. A recorder adds files about once a minute. */
const EVERY_MS = 60_000

/**
 * Keeps the hours of a served recording up to date while mounted. Returns the error message of the last reading; empty:
 * it succeeded.
 */
export function useReadAgain(recording: Recording): string {
  const [failure, setFailure] = useState('')
  useEffect(() => {
    if (recording.again === undefined) return
    const timer = setInterval(() => {
      readListAgain(recording).then(
        () => setFailure(''),
        (error: unknown) => setFailure(errorText(error)),
      )
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [recording])
  return failure
}
