import { useSyncExternalStore, type ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { exportJobs } from '../../../capture/exporting/export-jobs.ts'
import { exportFileName } from '../../../capture/exporting/file-name.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { MenuButton } from '../../../ui/controls/MenuButton.tsx'
import { chooseSaveTarget } from '../../../ui/save.ts'
import type { QueryPage, QueryText } from '../contract.ts'
import { QUERY_FORMATS } from '../data/exports/formats.ts'
import { keysOf } from '../data/run.ts'

interface ExportResultsProps {
  readonly query: QueryText
  readonly page: QueryPage
}

/** All results as a file. They come page after page, so that memory does not grow with them. */
export function ExportResults({ query, page }: ExportResultsProps): ReactNode {
  const jobs = exportJobs(useCapture())
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const { attempt, failure } = useAttempt()
  const save = async (format: (typeof QUERY_FORMATS)[number]): Promise<void> => {
    const fileName = exportFileName({ what: 'query', of: query.database, at: null, extension: format.extension })
    const rowBytes = page.rows.length === 0 ? format.rowBytes : page.bytes / page.rows.length
    const expectedBytes = (page.total ?? Number.POSITIVE_INFINITY) * rowBytes
    const target = await chooseSaveTarget({ name: fileName, mediaType: format.mediaType, expectedBytes })
    if (target === null) return
    jobs.dismiss()
    await jobs.start({ exporter: format.id, params: { ...query, columns: keysOf(page.rows) }, fileName, target })
  }
  const isOurs = job !== null && QUERY_FORMATS.some(({ id }) => id === job.exporter)
  return (
    <>
      <MenuButton
        text="Export"
        label="Export results"
        icon="export"
        items={QUERY_FORMATS.map((format) => ({
          text: format.title,
          hint: format.opens,
          refusal: job?.phase === 'running' ? 'Another export is under way.' : null,
          onChoose: () => void attempt('Not exported', () => save(format)),
        }))}
      />
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
            `${formatPlural(job.rows, 'result')} exported, as many as the server has.`
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
