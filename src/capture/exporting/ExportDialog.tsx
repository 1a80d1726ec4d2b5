import { useEffect, useState, type ReactNode } from 'react'
import { errorText } from '../../base/text/error-text.ts'
import { formatBytes, formatDateTime, formatPlural } from '../../base/text/format.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { chooseSaveTarget } from '../../ui/save.ts'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import type { ResponseOf } from '../client/requests/requests.ts'
import { parseSourceId, sourceLabel, type SourceId } from '../client/state.ts'
import { useAttempt } from '../client/requests/useAttempt.ts'
import { useCapture, useView } from '../client/view.ts'
import { AttemptFailure } from '../frame/notices/AttemptFailure.tsx'
import { ExportProgress } from './ExportProgress.tsx'
import styles from './export-dialog.module.css'
import type { ExportJob, ExportJobs } from './export-jobs.ts'
import type { CountRequest, ExportScope, ExportSubject } from './export-subject.ts'
import type { ExportId } from './exporter.ts'
import { exportFileName } from './file-name.ts'
import { cx } from '../../ui/theme/cx.ts'

const SCOPES = [
  { value: 'view', text: 'In view' },
  { value: 'all', text: 'Everything' },
] as const

interface ExportDialogProps<Count extends CountRequest, Id extends ExportId> {
  readonly subject: ExportSubject<Count, Id>
  readonly jobs: ExportJobs
  readonly job: ExportJob | null
  readonly onClose: () => void
}

/** Dialog for range and format of an export, then for its progress and result. */
export function ExportDialog<Count extends CountRequest, Id extends ExportId>({
  subject,
  jobs,
  job,
  onClose,
}: ExportDialogProps<Count, Id>): ReactNode {
  if (job !== null) return <ExportProgress subject={subject} job={job} jobs={jobs} onClose={onClose} />
  return <ExportForm subject={subject} jobs={jobs} onClose={onClose} />
}

function ExportForm<Count extends CountRequest, Id extends ExportId>({
  subject,
  jobs,
  onClose,
}: Omit<ExportDialogProps<Count, Id>, 'job'>): ReactNode {
  const capture = useCapture()
  const { clock } = useView().view
  const { formats, range, known } = subject
  const [scope, setScope] = useState<ExportScope>('view')
  const [format, setFormat] = useState(formats[0])
  const [counts, setCounts] = useState<Readonly<Partial<Record<ExportScope, ResponseOf<Count>>>>>({})
  const count = counts[scope]
  const rows = count === undefined ? null : subject.rowsOf(count)
  const [uncounted, setUncounted] = useState<string | null>(null)
  const { attempt, failure } = useAttempt()

  useEffect(() => {
    const abort = new AbortController()
    capture.request(subject.count, subject.paramsOf(scope), abort.signal).then(
      (counted) => {
        setCounts((before) => ({ ...before, [scope]: counted }))
        setUncounted(null)
      },
      (error: unknown) => {
        // The export is possible all the same.
        if (!abort.signal.aborted) setUncounted(errorText(error))
      },
    )
    return () => abort.abort()
  }, [capture, subject, scope])

  const begin = async (): Promise<void> => {
    const name = exportFileName({
      what: subject.what,
      of: nameOf(subject.sources),
      at: (scope === 'view' ? range : known)?.startTicks ?? null,
      extension: format.extension,
    })
    const expectedBytes = (rows ?? Number.POSITIVE_INFINITY) * format.rowBytes
    const target = await chooseSaveTarget({ name, mediaType: format.mediaType, expectedBytes })
    if (target !== null)
      await jobs.start({ exporter: format.id, params: subject.paramsOf(scope), fileName: name, target })
  }

  const from = formatDateTime(range.startTicks, clock, 3)
  const to = formatDateTime(range.endTicks, clock, 3)
  const note = count === undefined ? null : (subject.note?.(count, format) ?? null)
  return (
    <Dialog
      title={subject.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            icon="export"
            disabled={rows === 0}
            onClick={() => void attempt('Not exported', begin)}
          >
            Export
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className="row">
          <Segmented
            label="How much"
            options={SCOPES}
            value={scope}
            onChange={(next) => {
              setScope(next)
              setUncounted(null)
            }}
          />
          <p role="status">
            {count === undefined || rows === null
              ? uncounted === null
                ? 'Counting …'
                : `Not counted: ${uncounted}`
              : rows === 0
                ? `No ${subject.many} here.`
                : `${formatPlural(rows, subject.one, subject.many)}${subject.also?.(count, format) ?? ''}, about ${formatBytes(rows * format.rowBytes)}`}
          </p>
        </div>
        <p className={cx('note', styles.note)}>
          {scope === 'view'
            ? `Those that begin from ${from} to ${to}${clock === 'utc' ? ' UTC' : ''}, ${subject.words.view}`
            : subject.words.all}
        </p>
        <fieldset className={styles.formats}>
          <legend>Format</legend>
          {formats.map((each) => (
            <label key={each.id} className={styles.format}>
              <input type="radio" name="format" checked={each.id === format.id} onChange={() => setFormat(each)} />
              <span className={styles.formatTitle}>{each.title}</span>
              <span className={cx('note', styles.formatOpens)}>{each.opens}</span>
            </label>
          ))}
        </fieldset>
        {note === null ? null : <p className={cx('note', styles.note)}>{note}</p>}
        <AttemptFailure of={failure} />
      </div>
    </Dialog>
  )
}

/** Name of a single source, for the file name; empty for several. */
function nameOf([only, ...others]: readonly SourceId[]): string {
  const ref = only === undefined || others.length > 0 ? null : parseSourceId(only)
  return ref === null
    ? ''
    : sourceLabel(ref)
        .toLowerCase()
        .replace(/\.(json|ndjson|zip|gz)$/, '')
}
