import type { ReactNode } from 'react'
import { formatByteRate, formatBytes, formatCount, formatPlural } from '../../base/text/format.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { Progress } from '../../ui/Progress.tsx'
import styles from './export-dialog.module.css'
import type { ExportJob, ExportJobs } from './export-jobs.ts'
import type { CountRequest, ExportSubject } from './export-subject.ts'
import type { ExportId } from './exporter.ts'
import { cx } from '../../ui/theme/cx.ts'

interface ExportProgressProps<Count extends CountRequest, Id extends ExportId> {
  readonly subject: ExportSubject<Count, Id>
  readonly job: ExportJob
  readonly jobs: ExportJobs
  readonly onClose: () => void
}

/** Progress and result of an export, which continues when this is closed. */
export function ExportProgress<Count extends CountRequest, Id extends ExportId>({
  subject,
  job,
  jobs,
  onClose,
}: ExportProgressProps<Count, Id>): ReactNode {
  // The running export may belong to another panel.
  const isOwn = subject.formats.some(({ id }) => id === job.exporter)
  const [one, many] = isOwn ? [subject.one, subject.many] : ['row', 'rows']
  const isRunning = job.phase === 'running'
  const close = (): void => {
    jobs.dismiss()
    onClose()
  }
  return (
    <Dialog
      title={isOwn ? subject.title : 'Export'}
      onClose={close}
      actions={
        isRunning ? (
          <>
            <Button onClick={jobs.stop}>Stop</Button>
            <Button onClick={close} title="It continues; the Export button shows its progress">
              Hide
            </Button>
          </>
        ) : (
          <>
            <Button onClick={jobs.dismiss}>Export more</Button>
            <Button tone="primary" onClick={close}>
              Close
            </Button>
          </>
        )
      }
    >
      <div className={styles.form}>
        <p className={cx('mono', styles.fileName)}>
          <bdi>{job.fileName}</bdi>
        </p>
        {isRunning ? <Progress label={describeRunning(job, one, many)} share={shareOf(job)} /> : null}
        {job.phase === 'failed' ? (
          <p role="alert">
            {job.message}{' '}
            {job.rows === 0 ? '' : `${formatPlural(job.rows, 'row')} had been written; the file was not kept.`}
          </p>
        ) : null}
        <p role="status" className={cx('note', styles.note)}>
          {ENDINGS[job.phase](job, one, many)}
        </p>
      </div>
    </Dialog>
  )
}

const ENDINGS: Readonly<Record<ExportJob['phase'], (job: ExportJob, one: string, many: string) => string>> = {
  running: () => '',
  done: ({ rows, bytes }, one, many) => `Done: ${formatPlural(rows, one, many)}, ${formatBytes(bytes)}.`,
  stopped: () => 'Stopped; no file was kept.',
  failed: () => '',
}

const shareOf = ({ rows, totalRows }: ExportJob): number | null =>
  totalRows === null ? null : rows / Math.max(1, totalRows)

function describeRunning({ rows, totalRows, bytes, startedMs, atMs }: ExportJob, one: string, many: string): string {
  if (totalRows === null) return 'Beginning …'
  const rate = bytes / ((atMs - startedMs) / 1000)
  return `${formatCount(rows)} of ${formatPlural(totalRows, one, many)}, ${formatBytes(bytes)}, ${formatByteRate(rate)}`
}
