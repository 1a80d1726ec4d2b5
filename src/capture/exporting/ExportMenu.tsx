import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { formatCount } from '../../base/text/format.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { MenuButton } from '../../ui/controls/MenuButton.tsx'
import { chooseSaveTarget } from '../../ui/save.ts'
import { useAttempt } from '../client/requests/useAttempt.ts'
import { useCapture } from '../client/view.ts'
import { AttemptFailure } from '../frame/notices/AttemptFailure.tsx'
import { EXACT_FORMATS } from './exact-formats.ts'
import { type ExportJobs, exportJobs } from './export-jobs.ts'
import type { ExportId, WorkerExports } from './exporter.ts'
import { exportFileName } from './file-name.ts'

type Kind = (typeof EXACT_FORMATS)[number]['kind']

interface ExportMenuProps<Id extends ExportId> {
  readonly text: string
  readonly label: string
  readonly exporterOf: (kind: Kind) => Id
  readonly params: WorkerExports[Id]
  /** Parts of the file name: content and owner. */
  readonly what: string
  readonly of: string
  /** Expected number of rows; null: not known. */
  readonly rows: number | null
  /** Mean size of a row; null: not known. */
  readonly rowBytes: number | null
  /** Key of the selected rows; a change dismisses the message of a finished export. Null: no selection, and no menu. */
  readonly selection?: string | null
  /** Words for a finished export of that many rows; `expected`: `rows` at its start, null if not known. */
  readonly doneText: (rows: number, expected: number | null) => string
}

/** Dismisses a finished export when the selection has changed. */
function useSelection(jobs: ExportJobs, isOurs: boolean, selection: string | null | undefined): void {
  const shownRef = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    if (shownRef.current !== selection && isOurs) jobs.dismiss()
    shownRef.current = selection
  }, [jobs, isOurs, selection])
}

/** Menu of formats for rows of a server, and the progress of their export, which comes page by page. */
export function ExportMenu<Id extends ExportId>(props: ExportMenuProps<Id>): ReactNode {
  const { text, label, exporterOf, params, what, of, rows, rowBytes, selection, doneText } = props
  const jobs = exportJobs(useCapture())
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const { attempt, failure } = useAttempt()
  const [expected, setExpected] = useState<number | null>(null)
  const nameOf = (extension: string): string => exportFileName({ what, of, at: null, extension })
  const save = async (format: (typeof EXACT_FORMATS)[number]): Promise<void> => {
    const { kind, extension, mediaType } = format
    const fileName = nameOf(extension)
    const expectedBytes = (rows ?? Number.POSITIVE_INFINITY) * (rowBytes ?? format.rowBytes)
    const target = await chooseSaveTarget({ name: fileName, mediaType, expectedBytes })
    if (target === null) return
    jobs.dismiss()
    setExpected(rows)
    await jobs.start({ exporter: exporterOf(kind), params, fileName, target })
  }
  const isOurs =
    job !== null &&
    EXACT_FORMATS.some(({ kind, extension }) => exporterOf(kind) === job.exporter && nameOf(extension) === job.fileName)
  useSelection(jobs, isOurs, selection)
  return (
    <>
      {selection === null ? null : (
        <MenuButton
          text={text}
          label={label}
          icon="export"
          items={EXACT_FORMATS.map((format) => ({
            text: format.title,
            hint: format.opens,
            refusal: job?.phase === 'running' ? 'Another export is under way.' : null,
            onChoose: () => void attempt('Not exported', () => save(format)),
          }))}
        />
      )}
      {isOurs ? (
        <span role="status">
          {job.phase === 'running' ? (
            <>
              {formatCount(job.rows)}
              {job.totalRows === null ? '' : ` of ${formatCount(job.totalRows)}`} exported{' '}
              <Button small onClick={jobs.stop}>
                Stop
              </Button>
            </>
          ) : job.phase === 'done' ? (
            [doneText(job.rows, expected), job.message].join(' ').trim()
          ) : job.phase === 'stopped' ? (
            'The export was stopped.'
          ) : (
            job.message
          )}
        </span>
      ) : null}
      <AttemptFailure of={failure} />
    </>
  )
}
