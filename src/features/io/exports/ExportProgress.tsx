import type { ReactNode } from 'react'
import { formatByteRate, formatBytes, formatCount, formatPlural } from '../../../base/format.ts'
import type { ExportJob, ExportJobs } from '../../../capture/exporting/export-jobs.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import styles from './exports.module.css'

export interface ExportProgressProps {
  readonly job: ExportJob
  readonly jobs: ExportJobs
  readonly onClose: () => void
}

/** An export under way, and its end. Closed, it goes on. */
export function ExportProgress({ job, jobs, onClose }: ExportProgressProps): ReactNode {
  const isRunning = job.phase === 'running'
  const close = (): void => {
    jobs.dismiss()
    onClose()
  }
  return (
    <Dialog
      title="Export I/O events"
      onClose={close}
      actions={
        isRunning ? (
          <>
            <Button onClick={jobs.stop}>Stop</Button>
            <Button onClick={close} title="It goes on; the Export button shows how far it is">
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
        <p className={styles.fileName}>
          <bdi>{job.fileName}</bdi>
        </p>
        {isRunning ? <Progress label={describeRunning(job)} share={shareOf(job)} /> : null}
        {job.phase === 'failed' ? (
          <p role="alert">
            {job.message}{' '}
            {job.rows === 0 ? '' : `${formatPlural(job.rows, 'row')} had been written; the file was not kept.`}
          </p>
        ) : null}
        <p role="status" className={styles.note}>
          {ENDINGS[job.phase](job)}
        </p>
      </div>
    </Dialog>
  )
}

const ENDINGS: Readonly<Record<ExportJob['phase'], (job: ExportJob) => string>> = {
  running: () => '',
  done: ({ rows, bytes }) => `Done: ${formatPlural(rows, 'event')}, ${formatBytes(bytes)}.`,
  stopped: () => 'Stopped; no file was kept.',
  failed: () => '',
}

const shareOf = ({ rows, totalRows }: ExportJob): number | null =>
  totalRows === null ? null : rows / Math.max(1, totalRows)

function describeRunning({ rows, totalRows, bytes, startedMs, atMs }: ExportJob): string {
  if (totalRows === null) return 'Beginning …'
  const rate = bytes / ((atMs - startedMs) / 1000)
  return `${formatCount(rows)} of ${formatPlural(totalRows, 'event')}, ${formatBytes(bytes)}, ${formatByteRate(rate)}`
}
