import { describeWriteFailure } from '../../capture/exporting/export-jobs.ts'
import { CaptureError, type CaptureClient } from '../../capture/client/client.ts'
import type { SaveTarget } from '../../ui/save.ts'

/**
 * Writes the file of an action to the place that the user chose, a piece at a time: the next one is requested when the
 * one before is written. The worker learns how it ended. Never throws.
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
    // A failure in the worker is known there.
    const reason = error instanceof CaptureError ? error.message : describeWriteFailure(error)
    // A worker that is gone needs no reason; the entry's watch reports its end.
    await client.request('actions.saved', { requestId, error: reason }).catch(() => undefined)
  }
}
