import { useSyncExternalStore, type ReactNode } from 'react'
import { formatBytes, formatShare } from '../../../base/text/format.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { exportJobs, type ExportJob } from '../../../capture/exporting/export-jobs.ts'
import { exportFileName } from '../../../capture/exporting/file-name.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type {} from '../../../feeds/server/contract.ts'
import { chooseSaveTarget } from '../../../ui/save.ts'

/**
 * Estimated size of the responses, which are small and whose number is not known before: enough for a hundred
 * databases. Collected data is added.
 */
const RESPONSES_BYTES = 8_000_000

/** Button that saves the data read from the server as a package, which can be opened in Triage. */
export function SavePackage(): ReactNode {
  const capture = useCapture()
  const jobs = exportJobs(capture)
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const { nowTicks } = useCaptureState()
  const { attempt, failure } = useAttempt()
  const save = async (): Promise<void> => {
    const live = capture.getState()
    const fileName = exportFileName({ what: 'package', of: '', at: nowTicks, extension: 'zip' })
    const target = await chooseSaveTarget({
      name: fileName,
      mediaType: 'application/zip',
      expectedBytes: RESPONSES_BYTES + live.sources.reduce((sum, { bytes }) => sum + bytes, 0),
    })
    if (target === null) return
    jobs.dismiss()
    await jobs.start({ exporter: 'server.package', params: { gaps: live.gaps }, fileName, target })
  }
  const ours = job?.exporter === 'server.package' ? job : null
  return (
    <>
      <Button
        small
        icon="export"
        disabled={job?.phase === 'running'}
        title="What this page has read and collected of the server, in the layout of a debug package, without secrets. No request is sent; more checks bring more."
        onClick={() => void attempt('Not saved', save)}
      >
        Save as package
      </Button>
      {ours === null ? null : (
        <span className="note" role={ours.phase === 'failed' ? 'alert' : 'status'}>
          {ours.phase === 'running'
            ? `Saving${share(ours)}`
            : ours.phase === 'done'
              ? `Saved ${ours.contents ?? ''}, ${formatBytes(ours.bytes)}: ${ours.fileName}. Dropped on Rookery, it opens in Triage.`
              : ours.phase === 'stopped'
                ? 'Not saved.'
                : ours.message}
        </span>
      )}
      <AttemptFailure of={failure} />
    </>
  )
}

/** Share that is written; empty while the total is not known. */
const share = ({ rows, totalRows }: ExportJob): string =>
  totalRows === null || totalRows === 0 ? '' : `: ${formatShare(rows / totalRows)}`
