import { useSyncExternalStore, type ReactNode } from 'react'
import type { Ticks } from '../../../base/ticks.ts'
import { formatBytes, formatPlural, formatShare } from '../../../base/text/format.ts'
import { exportJobs } from '../../../capture/exporting/export-jobs.ts'
import { exportFileName } from '../../../capture/exporting/file-name.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { MenuButton } from '../../../ui/controls/MenuButton.tsx'
import { chooseSaveTarget } from '../../../ui/save.ts'
import { STACK_FORMATS } from '../../../feeds/stacks/contract/formats.ts'
import type { SampleFilter, StacksExportParams, Weight } from '../../../feeds/stacks/contract/samples.ts'
import styles from './panel.module.css'
import { cx } from '../../../ui/theme/cx.ts'

type StackFormat = (typeof STACK_FORMATS)[number]

export interface ExportMenuProps {
  readonly samples: SampleFilter
  readonly weight: Weight
  readonly fold: boolean
  /** Time of the newest snapshot; null without one. */
  readonly at: Ticks | null
}

/** Menu that saves the chosen snapshots, with their filters, as a file. */
export function ExportMenu({ samples, weight, fold, at }: ExportMenuProps): ReactNode {
  const client = useCapture()
  const jobs = exportJobs(client)
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  const { failure, attempt } = useAttempt()
  const save = async (format: StackFormat): Promise<void> => {
    const params: StacksExportParams = { samples, weight, fold }
    const count = await client.request('stacks.exportCount', params)
    const fileName = exportFileName({
      what: 'stacks',
      of: '',
      at: at === null || Number.isNaN(at) ? null : at,
      extension: format.extension,
    })
    const expectedBytes = count.samples * format.rowBytes
    const target = await chooseSaveTarget({ name: fileName, mediaType: format.mediaType, expectedBytes })
    if (target !== null) await jobs.start({ exporter: format.id, params, fileName, target })
  }
  return (
    <>
      <MenuButton
        text="Export"
        label="Export stacks"
        icon="export"
        items={STACK_FORMATS.map((format) => ({
          text: format.title,
          hint: format.opens,
          onChoose: () => void attempt('Not exported', () => save(format)),
        }))}
      />
      {job === null ? null : (
        <span className={cx('inline', styles.export)} role={job.phase === 'failed' ? 'alert' : 'status'}>
          {job.phase === 'running'
            ? `Exporting${job.totalRows === null ? '' : ` ${formatShare(job.rows / Math.max(1, job.totalRows))}`} …`
            : job.phase === 'done'
              ? `Saved ${job.fileName}: ${formatPlural(job.rows, 'row')}, ${formatBytes(job.bytes)}`
              : job.phase === 'stopped'
                ? 'Export stopped'
                : job.message}
          <Button small tone="quiet" onClick={job.phase === 'running' ? jobs.stop : jobs.dismiss}>
            {job.phase === 'running' ? 'Stop' : 'Dismiss'}
          </Button>
        </span>
      )}
      <AttemptFailure of={failure} />
    </>
  )
}
