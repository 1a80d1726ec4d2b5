import type { CaptureClient } from '../client/client.ts'
import type { ExportId, ExportPiece, WorkerExports } from './exporter.ts'

let nextId = 1

/** A started export, whose pieces are read once. */
export interface RunningExport {
  readonly rows: number
  readonly contents: string | null
  /** Pieces, made one ahead, so that at most two exist. Ending it early cancels the export. */
  readonly pieces: AsyncGenerator<ExportPiece, void, undefined>
}

/** Starts an export in the worker. Throws `CaptureError`, or the abort reason of the signal. */
export async function beginExport<Id extends ExportId>(
  capture: Pick<CaptureClient, 'request'>,
  exporter: Id,
  params: WorkerExports[Id],
  signal: AbortSignal,
): Promise<RunningExport> {
  const id = nextId++
  try {
    const { rows, contents } = await capture.request('host.export.begin', { id, exporter, params }, signal)
    return { rows, contents, pieces: readPieces(capture, id, signal) }
  } catch (error) {
    // The worker has removed an export that it could not start.
    if (signal.aborted) await cancel(capture, id)
    throw error
  }
}

async function* readPieces(
  capture: Pick<CaptureClient, 'request'>,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<ExportPiece, void, undefined> {
  const fetchNext = (): Promise<ExportPiece> => {
    const piece = capture.request('host.export.next', { id }, signal)
    // The caller that awaits it reports a failure; until then it must not count as unhandled.
    piece.catch(() => undefined)
    return piece
  }
  let isOver = false
  try {
    let ahead = fetchNext()
    for (;;) {
      const piece = await ahead
      isOver = piece.last
      if (!isOver) ahead = fetchNext()
      yield piece
      if (isOver) return
    }
  } finally {
    if (!isOver) await cancel(capture, id)
  }
}

/** Cancels the export, which the worker would keep otherwise. A failure here is that of the export. */
async function cancel(capture: Pick<CaptureClient, 'request'>, id: number): Promise<void> {
  await capture.request('host.export.cancel', { id })
}
