import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatShare } from '../../../base/format.ts'
import { exportJobs } from '../../../capture/exporting/export-jobs.ts'
import { useCapture } from '../../../capture/view.ts'
import { Button } from '../../../ui/Button.tsx'
import type { ExportView } from './ask.ts'
import { ExportDialog } from './ExportDialog.tsx'

/** Opens the dialog in which I/O events go out; shows how far an export is that goes on without the dialog. */
export function ExportButton({
  view,
  label,
  small = false,
}: {
  readonly view: ExportView
  /** Its whole name, where `Export` alone would not say of what. */
  readonly label?: string
  readonly small?: boolean
}): ReactNode {
  const jobs = exportJobs(useCapture())
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const [held, setHeld] = useState<ExportView | null>(null)
  const share = job?.phase === 'running' && job.totalRows !== null ? job.rows / Math.max(1, job.totalRows) : null
  return (
    <>
      <Button
        icon="export"
        small={small}
        aria-label={job === null ? label : undefined}
        aria-haspopup="dialog"
        onClick={() => setHeld(view)}
        title="Save these events as a file"
      >
        {share !== null ? `Exporting: ${formatShare(share)}` : job?.phase === 'failed' ? 'Export failed' : 'Export'}
      </Button>
      {held === null ? null : <ExportDialog view={held} jobs={jobs} job={job} onClose={() => setHeld(null)} />}
    </>
  )
}
