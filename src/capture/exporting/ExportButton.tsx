import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatShare } from '../../base/text/format.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { useCapture } from '../client/view.ts'
import { ExportDialog } from './ExportDialog.tsx'
import { exportJobs } from './export-jobs.ts'
import type { CountRequest, ExportSubject } from './export-subject.ts'
import type { ExportId } from './exporter.ts'

/** Opens the export dialog of a panel; shows the progress of an export that continues without the dialog. */
export function ExportButton<Count extends CountRequest, Id extends ExportId>({
  subject,
  label,
  small = false,
}: {
  readonly subject: ExportSubject<Count, Id>
  /** Accessible name, if `Export` alone is ambiguous. */
  readonly label?: string
  readonly small?: boolean
}): ReactNode {
  const jobs = exportJobs(useCapture())
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const [held, setHeld] = useState<ExportSubject<Count, Id> | null>(null)
  const share = job?.phase === 'running' && job.totalRows !== null ? job.rows / Math.max(1, job.totalRows) : null
  return (
    <>
      <Button
        icon="export"
        small={small}
        aria-label={job === null ? label : undefined}
        aria-haspopup="dialog"
        onClick={() => setHeld(subject)}
        title={`Save these ${subject.many} as a file`}
      >
        {share !== null ? `Exporting: ${formatShare(share)}` : job?.phase === 'failed' ? 'Export failed' : 'Export'}
      </Button>
      {held === null ? null : <ExportDialog subject={held} jobs={jobs} job={job} onClose={() => setHeld(null)} />}
    </>
  )
}
