import { describeWriteFailure } from '../../capture/exporting/export-jobs.ts'
import { CaptureError, type CaptureClient } from '../../capture/client/client.ts'
import type { SaveTarget } from '../../ui/save.ts'

/**
 * Writes the file of an action to the place that the user chose, piece by piece: the next piece is requested when the
 * one before is written. Reports the result to the worker. Never throws.
 */
export async function saveDownload(
  client: Pick<CaptureClient, 'request'>,
  requestId: string,
  target: SaveTarget,
): Promise<void> {
  try {
    for (;;) {
      const { bytes, last } = await client.request('actions.nextBytes', { requestId })
      if (bytes.length > 0) await target.write(bytes)
      if (last) break
    }
    await target.finish()
    await client.request('actions.saved', { requestId, error: null, isDownload: target.isDownload })
  } catch (error) {
    await target.discard()
    // The worker knows about its own failures.
    const reason = error instanceof CaptureError ? error.message : describeWriteFailure(error)
    // Without a worker there is nothing to tell; the entry's check reports its end.
    await client.request('actions.saved', { requestId, error: reason }).catch(() => undefined)
  }
}
