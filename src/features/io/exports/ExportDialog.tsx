import { useEffect, useState, type ReactNode } from 'react'
import { formatBytes, formatCount, formatDateTime, formatPlural } from '../../../base/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { exportFileName } from '../../../capture/exporting/file-name.ts'
import type { ExportJob, ExportJobs } from '../../../capture/exporting/export-jobs.ts'
import { parseSourceId, sourceLabel } from '../../../capture/state.ts'
import { useCapture, useView } from '../../../capture/view.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { chooseSaveTarget } from '../../../ui/save.ts'
import { Segmented } from '../../../ui/Segmented.tsx'
import { NO_FILTER } from '../queries.ts'
import type { ExportView, IoExportAsk, IoExportCount } from './ask.ts'
import { ExportProgress } from './ExportProgress.tsx'
import { IO_FORMATS, type IoFormat } from './formats.ts'
import styles from './exports.module.css'

type Scope = 'view' | 'all'

const SCOPES = [
  { value: 'view', text: 'In view' },
  { value: 'all', text: 'Everything' },
] as const

export interface ExportDialogProps {
  readonly view: ExportView
  readonly jobs: ExportJobs
  readonly job: ExportJob | null
  readonly onClose: () => void
}

/** How much of it, and as what; then how far it is, and how it ended. */
export function ExportDialog({ view, jobs, job, onClose }: ExportDialogProps): ReactNode {
  if (job !== null) return <ExportProgress job={job} jobs={jobs} onClose={onClose} />
  return <ExportForm view={view} jobs={jobs} onClose={onClose} />
}

function ExportForm({ view, jobs, onClose }: Omit<ExportDialogProps, 'job'>): ReactNode {
  const capture = useCapture()
  const { clock } = useView().view
  const [scope, setScope] = useState<Scope>('view')
  const [format, setFormat] = useState<IoFormat>(IO_FORMATS[0])
  const [counts, setCounts] = useState<Readonly<Partial<Record<Scope, IoExportCount>>>>({})
  const count = counts[scope] ?? null

  useEffect(() => {
    const abort = new AbortController()
    capture.ask<IoExportCount>('io.exportCount', askOf(view, scope), abort.signal).then(
      (answer) => setCounts((before) => ({ ...before, [scope]: answer })),
      // Without a count the export itself still tells what is wrong.
      () => undefined,
    )
    return () => abort.abort()
  }, [capture, view, scope])

  const begin = async (): Promise<void> => {
    const name = exportFileName({
      what: 'io',
      of: nameOf(view),
      at: (scope === 'view' ? view.range : view.known)?.startTicks ?? null,
      extension: format.extension,
    })
    const expectedBytes = (count?.events ?? Number.POSITIVE_INFINITY) * format.rowBytes
    const target = await chooseSaveTarget({ name, mediaType: format.mediaType, expectedBytes })
    if (target !== null) await jobs.start({ exporter: format.id, ask: askOf(view, scope), fileName: name, target })
  }

  const from = formatDateTime(view.range.startTicks, clock, 3)
  const to = formatDateTime(view.range.endTicks, clock, 3)
  return (
    <Dialog
      title="Export I/O events"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" icon="export" disabled={count?.events === 0} onClick={() => void begin()}>
            Export
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <div className={styles.scope}>
          <Segmented label="How much" options={SCOPES} value={scope} onChange={setScope} />
          <p role="status">{count === null ? 'Counting …' : describeCount(count, format)}</p>
        </div>
        <p className={styles.note}>
          {scope === 'view'
            ? `Events that begin from ${from} to ${to}${clock === 'utc' ? ' UTC' : ''}, with the lanes, kinds and filters that are set, in order of time.`
            : 'All lanes and kinds of the chosen sources, without filters, in order of time.'}
        </p>
        <fieldset className={styles.formats}>
          <legend>Format</legend>
          {IO_FORMATS.map((each) => (
            <label key={each.id} className={styles.format}>
              <input type="radio" name="format" checked={each.id === format.id} onChange={() => setFormat(each)} />
              <span className={styles.formatTitle}>{each.title}</span>
              <span className={styles.formatOpens}>{each.opens}</span>
            </label>
          ))}
        </fieldset>
        {view.gaps.length > 0 && format.id !== 'io.json' ? (
          <p className={styles.note}>
            Gaps, spans of which nothing is known, go out only as I/O metrics (JSON): in this file they look like idle
            time.
          </p>
        ) : null}
        {count !== null && count.rollUps > 0 && format.id !== 'io.json' ? (
          <p className={styles.note}>
            {formatPlural(count.rollUps, 'roll-up')}, older events that the server had already summed up, stay behind:
            they are no single events. They go out only as I/O metrics (JSON).
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}

const askOf = ({ sources, rows, range, filter, gaps }: ExportView, scope: Scope): IoExportAsk =>
  scope === 'view'
    ? { sources, rows, range, filter, gaps: gaps.filter((gap) => overlaps(gap, range)) }
    : { sources, rows: null, range: null, filter: NO_FILTER, gaps }

const overlaps = (a: TimeRange, b: TimeRange): boolean => a.startTicks < b.endTicks && b.startTicks < a.endTicks

/** Of the only source, for the file's name; several: none. */
function nameOf({ sources }: ExportView): string {
  const [only, ...others] = sources
  const ref = only === undefined || others.length > 0 ? null : parseSourceId(only)
  return ref === null
    ? ''
    : sourceLabel(ref)
        .toLowerCase()
        .replace(/\.(json|ndjson|zip|gz)$/, '')
}

function describeCount({ events, rollUps }: IoExportCount, format: IoFormat): string {
  if (events === 0) return 'No events here.'
  const bands = rollUps > 0 && format.id === 'io.json' ? ` and ${formatPlural(rollUps, 'roll-up')}` : ''
  return `${formatCount(events)} ${events === 1 ? 'event' : 'events'}${bands}, about ${formatBytes(events * format.rowBytes)}`
}
