import { errorText } from '../../base/text/error-text.ts'
import { Observed } from '../../base/observed.ts'
import type { SaveTarget } from '../../ui/save.ts'
import type { CaptureClient } from '../client/client.ts'
import { CaptureError } from '../client/client.ts'
import type { ExportId, WorkerExports } from './exporter.ts'
import { beginExport } from './read-export.ts'

export interface ExportJob {
  /** Id of its exporter. */
  readonly exporter: ExportId
  readonly phase: 'running' | 'done' | 'failed' | 'stopped'
  readonly fileName: string
  readonly rows: number
  /** Total number of rows; null: not known yet. */
  readonly totalRows: number | null
  /** Rows in words; null: rows of one kind, or not known yet. */
  readonly contents: string | null
  readonly bytes: number
  /** `performance.now()` at its start, and at this report. */
  readonly startedMs: number
  readonly atMs: number
  /** Failure in words, or a note on the rows; empty: nothing. */
  readonly message: string
}

export interface ExportOrder<Id extends ExportId> {
  readonly exporter: Id
  readonly params: WorkerExports[Id]
  readonly fileName: string
  readonly target: SaveTarget
}

/** Minimum interval of progress reports, ms. */
const TELL_EVERY_MS = 100

/** The running export of a capture, or the last one; it continues when its dialog is closed. */
export class ExportJobs {
  readonly #capture: Pick<CaptureClient, 'request'>
  readonly #job = new Observed<ExportJob | null>(null)
  #abort: AbortController | null = null

  constructor(capture: Pick<CaptureClient, 'request'>) {
    this.#capture = capture
  }

  readonly subscribe = this.#job.subscribe
  /** Job; null: no export was started, or its result was dismissed. */
  readonly getSnapshot = this.#job.get

  readonly stop = (): void => this.#abort?.abort()

  /** Dismisses the result of the last export. */
  readonly dismiss = (): void => {
    if (this.getSnapshot()?.phase !== 'running') this.#job.set(null)
  }

  /** Resolves when the export has ended, with any result. Does nothing while another one runs. */
  async start<Id extends ExportId>({ exporter, params, fileName, target }: ExportOrder<Id>): Promise<void> {
    if (this.getSnapshot()?.phase === 'running') return
    const abort = new AbortController()
    this.#abort = abort
    const startedMs = performance.now()
    const so = { rows: 0, totalRows: null as number | null, contents: null as string | null, bytes: 0 }
    const tell = (phase: ExportJob['phase'], message = ''): void =>
      this.#job.set({ ...so, exporter, phase, fileName, message, startedMs, atMs: performance.now() })
    tell('running')
    try {
      const { rows: totalRows, contents, pieces } = await beginExport(this.#capture, exporter, params, abort.signal)
      so.totalRows = totalRows
      so.contents = contents
      let said = ''
      for await (const { bytes, rows, note } of pieces) {
        await target.write(bytes)
        abort.signal.throwIfAborted()
        so.rows = rows
        so.bytes += bytes.length
        said = note ?? ''
        if (performance.now() - (this.getSnapshot()?.atMs ?? 0) >= TELL_EVERY_MS) tell('running')
      }
      await target.finish()
      tell('done', said)
    } catch (error) {
      await target.discard()
      if (abort.signal.aborted) tell('stopped')
      else tell('failed', describeFailure(error))
    }
  }
}

/** Messages by the name of the browser's write error. */
const WRITE_FAILURES: Readonly<Record<string, string>> = {
  QuotaExceededError: 'There is no space left where it was to be written.',
  NotReadableError: 'The browser has lost a part of it: the disk that it keeps downloads on may be full.',
  NotAllowedError: 'The browser no longer allows writing to that file.',
  NoModificationAllowedError: 'Another program holds that file open.',
  NotFoundError: 'The file or its folder is not there any more.',
  InvalidStateError: 'The file was changed or closed by something else meanwhile.',
}

function describeFailure(error: unknown): string {
  if (error instanceof CaptureError) return `It could not be made: ${error.message}`
  return describeWriteFailure(error)
}

/** Why a file could not be written, in words. */
export function describeWriteFailure(error: unknown): string {
  const said = errorText(error)
  const known = error instanceof Error ? WRITE_FAILURES[error.name] : undefined
  return known === undefined ? `It could not be written: ${said}` : `${known} (${said})`
}

const jobsOf = new WeakMap<Pick<CaptureClient, 'request'>, ExportJobs>()

/** Exports of this capture; always the same object. */
export function exportJobs(capture: Pick<CaptureClient, 'request'>): ExportJobs {
  let jobs = jobsOf.get(capture)
  if (jobs === undefined) jobsOf.set(capture, (jobs = new ExportJobs(capture)))
  return jobs
}
