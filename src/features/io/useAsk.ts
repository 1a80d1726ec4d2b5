import { useEffect, useRef, useState } from 'react'
import { CaptureError } from '../../capture/client.ts'
import type { ErrorInfo } from '../../capture/state.ts'
import { useCapture } from '../../capture/view.ts'
import { LatestAsk } from './latest-ask.ts'
import type { IoQueries } from './queries.ts'

export interface Asked<Name extends keyof IoQueries> {
  /** Newest answer, maybe of an older question; null: none yet. */
  readonly answer: IoQueries[Name]['answer'] | null
  /** The key of the question that it answers. */
  readonly key: string
  /** Why the newest question has no answer; the answer before stays. */
  readonly error: ErrorInfo | null
}

interface Keyed<Ask> {
  readonly ask: Ask
  readonly key: string
  readonly version: number
}

const asErrorInfo = (name: string, error: unknown): ErrorInfo =>
  error instanceof CaptureError
    ? error.info
    : {
        endpoint: name,
        status: null,
        message: 'The view could not be computed.',
        serverMessage: error instanceof Error ? error.message : String(error),
        hint: 'What was collected is kept. Reload the page if this stays.',
      }

/**
 * Keeps an answer of the capture up to date: asked again when `key` (what is asked) or `version` (what there is) changes,
 * at most every `everyMs`. `ask` null: not asked, the answer stays.
 */
export function useAsk<Name extends keyof IoQueries>(
  name: Name,
  ask: IoQueries[Name]['ask'] | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<Name> {
  const capture = useCapture()
  const [asked, setAsked] = useState<Asked<Name>>({ answer: null, key: '', error: null })
  const latestRef = useRef<LatestAsk<Keyed<IoQueries[Name]['ask']>, IoQueries[Name]['answer']> | null>(null)

  useEffect(() => {
    const latest = new LatestAsk<Keyed<IoQueries[Name]['ask']>, IoQueries[Name]['answer']>({
      send: (keyed, signal) => capture.ask(name, keyed.ask, signal),
      onAnswer: (answer, keyed) => setAsked({ answer, key: keyed.key, error: null }),
      onError: (error) => setAsked((before) => ({ ...before, error: asErrorInfo(name, error) })),
      same: (a, b) => a.version === b.version && a.key === b.key,
      everyMs,
    })
    latestRef.current = latest
    return () => latest.dispose()
  }, [capture, name, everyMs])

  // After every render; what was asked already is not asked again.
  useEffect(() => {
    if (ask !== null) latestRef.current?.want({ ask, key, version })
  })

  return asked
}
