import { useEffect, useRef, useState } from 'react'
import { CaptureError, type CaptureClient } from './client.ts'
import { LatestAsk } from './latest-request.ts'
import type { ErrorInfo } from './state.ts'
import { useCapture } from './view.ts'

export interface Asked<Answer> {
  /** Newest answer, maybe of an older question; null: none yet. */
  readonly answer: Answer | null
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
        hint: 'Collected data is kept. Reload the page if this persists.',
      }

/**
 * Keeps an answer of the capture up to date: asked again when `key` (what is asked) or `version` (what there is) changes,
 * at most every `everyMs`. `ask` null: not asked, the answer stays. A feature gives it the types of its own questions.
 */
export function useAsk<Answer>(
  name: string,
  ask: object | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<Answer> {
  return useLatest(name, sendOne<Answer>, ask, key, version, everyMs)
}

/** The same question of several things at once, answered together in the order asked. */
export function useAskAll<Answer>(
  name: string,
  asks: readonly object[] | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<readonly Answer[]> {
  return useLatest(name, sendAll<Answer>, asks, key, version, everyMs)
}

/** Outside of the hooks: a new function would ask anew. */
type Send<Ask, Answer> = (capture: CaptureClient, name: string, ask: Ask, signal: AbortSignal) => Promise<Answer>

const sendOne = <Answer>(capture: CaptureClient, name: string, ask: object, signal: AbortSignal): Promise<Answer> =>
  capture.ask<Answer>(name, ask, signal)

const sendAll = <Answer>(
  capture: CaptureClient,
  name: string,
  asks: readonly object[],
  signal: AbortSignal,
): Promise<readonly Answer[]> => Promise.all(asks.map((ask) => capture.ask<Answer>(name, ask, signal)))

function useLatest<Ask, Answer>(
  name: string,
  send: Send<Ask, Answer>,
  ask: Ask | null,
  key: string,
  version: number,
  everyMs: number,
): Asked<Answer> {
  const capture = useCapture()
  const [asked, setAsked] = useState<Asked<Answer>>({ answer: null, key: '', error: null })
  const latestRef = useRef<LatestAsk<Keyed<Ask>, Answer> | null>(null)

  useEffect(() => {
    const latest = new LatestAsk<Keyed<Ask>, Answer>({
      send: (keyed, signal) => send(capture, name, keyed.ask, signal),
      onAnswer: (answer, keyed) => setAsked({ answer, key: keyed.key, error: null }),
      onError: (error) => setAsked((before) => ({ ...before, error: asErrorInfo(name, error) })),
      same: (a, b) => a.version === b.version && a.key === b.key,
      everyMs,
    })
    latestRef.current = latest
    return () => latest.dispose()
  }, [capture, name, send, everyMs])

  // After every render; what was asked already is not asked again.
  useEffect(() => {
    if (ask !== null) latestRef.current?.want({ ask, key, version })
  })

  return asked
}
