import { useSyncExternalStore, type ReactNode } from 'react'
import { formatBytes, formatPlural } from '../../../base/text/format.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { exportJobs } from '../../../capture/exporting/export-jobs.ts'
import { exportFileName } from '../../../capture/exporting/file-name.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type {} from '../../server/contract.ts'
import { chooseSaveTarget } from '../../../ui/save.ts'

/** Entries are small, and their number is not known before: enough for a hundred databases. */
const EXPECTED_BYTES = 8_000_000

/** Button that saves what was read of the server as a package, which opens here in Triage. */
export function SavePackage(): ReactNode {
  const capture = useCapture()
  const jobs = exportJobs(capture)
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const { nowTicks } = useCaptureState()
  const { attempt, failure } = useAttempt()
  const save = async (): Promise<void> => {
    const fileName = exportFileName({ what: 'package', of: '', at: nowTicks, extension: 'zip' })
    const target = await chooseSaveTarget({
      name: fileName,
      mediaType: 'application/zip',
      expectedBytes: EXPECTED_BYTES,
    })
    if (target === null) return
    jobs.dismiss()
    await jobs.start({ exporter: 'server.package', params: null, fileName, target })
  }
  const ours = job?.exporter === 'server.package' ? job : null
  return (
    <>
      <Button
        small
        icon="export"
        disabled={job?.phase === 'running'}
        title="What this page has read of the server, in the layout of a debug package, without secrets. No request is sent; more checks bring more."
        onClick={() => void attempt('Not saved', save)}
      >
        Save as package
      </Button>
      {ours === null ? null : (
        <span className="note" role={ours.phase === 'failed' ? 'alert' : 'status'}>
          {ours.phase === 'running'
            ? 'Saving'
            : ours.phase === 'done'
              ? `Saved ${formatPlural(ours.rows, 'response')}, ${formatBytes(ours.bytes)}: ${ours.fileName}. Dropped on Rookery, it opens in Triage.`
              : ours.phase === 'stopped'
                ? 'Not saved.'
                : ours.message}
        </span>
      )}
      <AttemptFailure of={failure} />
    </>
  )
}
