import { useCallback, useEffect, useRef, useState } from 'react'
import { errorText } from '../../../base/text/error-text.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { shapeOf } from '../../../base/rql/shape.ts'
import type { PatchPreview, QueryOutcome, QueryText, StillRunning, TimingNode } from '../contract.ts'
import type { RunTimes } from './Cost.tsx'

/** Number of results per request; results are shown page by page. */
export const PAGE_SIZE = 100
/** After a cancel: interval and total time, ms, of checking whether the server still runs the query. */
const LOOK_EVERY_MS = 500
const LOOK_FOR_MS = 10_000

/** Maximum number of runs of this page whose timings are kept for comparison. */
const MOST_TIMED = 20

/** A run with timings. */
export interface TimedRun {
  /** Number of the run. */
  readonly count: number
  readonly query: QueryText
  readonly timings: TimingNode
}

export type RunState =
  | { readonly phase: 'none' }
  | { readonly phase: 'running'; readonly query: QueryText; readonly startedMs: number }
  | {
      readonly phase: 'done'
      readonly query: QueryText
      readonly outcome: QueryOutcome | PatchPreview
      readonly count: number
      readonly times: RunTimes
    }
  | { readonly phase: 'failed'; readonly query: QueryText; readonly error: ErrorInfo }
  /** The user cancelled the run. `server` null: not known yet. */
  | {
      readonly phase: 'cancelled'
      readonly query: QueryText
      readonly server: 'stopped' | 'runs' | 'unknown' | null
      readonly running: readonly StillRunning[]
    }

interface QueryRun {
  readonly state: RunState
  /** Runs with timings, newest first. */
  readonly timed: readonly TimedRun[]
  readonly run: (query: QueryText, options?: { readonly load?: boolean }) => void
  /** Stops waiting immediately, then checks whether the server has stopped. */
  readonly cancel: () => void
}

const infoOf = (error: unknown): ErrorInfo =>
  error instanceof CaptureError
    ? error.info
    : {
        endpoint: 'query',
        status: null,
        message: errorText(error),
        serverMessage: null,
        hint: '',
      }

/** Runs queries on request, at most one at a time. */
export function useQueryRun(): QueryRun {
  const capture = useCapture()
  const [state, setState] = useState<RunState>({ phase: 'none' })
  const abortRef = useRef<AbortController | null>(null)
  const [timed, setTimed] = useState<readonly TimedRun[]>([])
  const countRef = useRef(0)
  const queryRef = useRef<QueryText | null>(null)
  useEffect(() => () => abortRef.current?.abort(), [])

  const run = useCallback<QueryRun['run']>(
    (query, { load = false } = {}) => {
      abortRef.current?.abort()
      const abort = new AbortController()
      abortRef.current = abort
      queryRef.current = query
      const count = ++countRef.current
      const startedMs = Date.now()
      setState({ phase: 'running', query, startedMs })
      const sent: Promise<QueryOutcome | PatchPreview> = shapeOf(query.text).isUpdate
        ? capture.request('query.preview', { ...query, load }, abort.signal)
        : capture.request('query.run', { ...query, start: 0, pageSize: PAGE_SIZE, load }, abort.signal)
      sent.then(
        (outcome) => {
          if (abort.signal.aborted) return
          setState({ phase: 'done', query, outcome, count, times: { startedMs, endedMs: Date.now() } })
          const timings = outcome.outcome === 'results' ? outcome.page.timings : null
          if (timings !== null) setTimed((runs) => [{ count, query, timings }, ...runs].slice(0, MOST_TIMED))
        },
        (error: unknown) => {
          if (!abort.signal.aborted) setState({ phase: 'failed', query, error: infoOf(error) })
        },
      )
    },
    [capture],
  )

  const cancel = useCallback((): void => {
    const query = queryRef.current
    if (query === null) return
    abortRef.current?.abort()
    const look = new AbortController()
    abortRef.current = look
    setState({ phase: 'cancelled', query, server: null, running: [] })
    const show = (server: 'stopped' | 'runs' | 'unknown', running: readonly StillRunning[]): void => {
      if (!look.signal.aborted) setState({ phase: 'cancelled', query, server, running })
    }
    const untilMs = performance.now() + LOOK_FOR_MS
    const lookNow = (): void => {
      capture.request('query.running', { database: query.database, text: query.text }, look.signal).then(
        (running) => {
          if (running.length === 0) return show('stopped', [])
          show('runs', running)
          if (performance.now() < untilMs && !look.signal.aborted) setTimeout(lookNow, LOOK_EVERY_MS)
        },
        () => show('unknown', []),
      )
    }
    lookNow()
  }, [capture])

  return { state, timed, run, cancel }
}
