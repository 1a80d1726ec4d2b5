import { useCallback, useState } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import { CaptureError } from '../client.ts'
import type { ErrorInfo } from '../state.ts'

/** Result of a command. */
export type Attempted<Result> =
  { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly failure: ErrorInfo | null }

interface Attempts {
  /** Whether a command is running. */
  readonly isRunning: boolean
  /** Why the last command failed, with what failed in its message; null: it has not. */
  readonly failure: ErrorInfo | null
  /**
   * Runs a command of the user. `what`: words for its failure, as in “Could not resume”. Never rejects: the caller gets
   * the result or the failure, which is also in `failure`. An aborted command has not failed (`failure` null).
   */
  readonly attempt: <Result>(what: string, run: () => Promise<Result>) => Promise<Attempted<Result>>
  /** Clears the failure after the user has read it. */
  readonly dismiss: () => void
}

/** Runs commands that the user starts and the worker or server carries out. `AttemptFailure` shows why one failed. */
export function useAttempt(): Attempts {
  const [failure, setFailure] = useState<ErrorInfo | null>(null)
  const [running, setRunning] = useState(0)
  const attempt = useCallback<Attempts['attempt']>(async (what, run) => {
    setFailure(null)
    setRunning((count) => count + 1)
    try {
      return { ok: true, result: await run() }
    } catch (error) {
      const info = isAbort(error) ? null : failureInfo(what, error)
      if (info !== null) setFailure(info)
      return { ok: false, failure: info }
    } finally {
      setRunning((count) => count - 1)
    }
  }, [])
  return { isRunning: running > 0, failure, attempt, dismiss: () => setFailure(null) }
}

/** `what`: the words for what failed. */
function failureInfo(what: string, thrown: unknown): ErrorInfo {
  const info =
    thrown instanceof CaptureError
      ? thrown.info
      : {
          endpoint: 'this page',
          status: null,
          message: errorText(thrown),
          serverMessage: null,
          hint: '',
        }
  return { ...info, message: `${what}: ${info.message}` }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
