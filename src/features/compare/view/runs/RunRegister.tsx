import { useState, type ReactNode } from 'react'
import {
  formatDateTime,
  formatDuration,
  formatPlural,
  formatRate,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import { spanFromMs, ticksFromMs } from '../../../../base/ticks.ts'
import { saveText } from '../../../../capture/exporting/save-text.ts'
import type { SideName } from '../../../../capture/client/compare-sides.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { FileButton } from '../../../../ui/controls/FileButton.tsx'
import { MenuButton } from '../../../../ui/controls/MenuButton.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { SHARES, type LineFigures } from '../../contract.ts'
import report from '../../../../ui/report.module.css'
import styles from '../compare.module.css'
import { kindTitle, shareName } from '../words.ts'
import type { RunLog } from './run-log.ts'
import { formatRuns, parseRuns, type Run } from './runs.ts'

/** The line that identifies a run: request durations of a server, else the line with the most events. */
const lineOf = ({ figures: { feed, lines } }: Run): LineFigures | null =>
  (feed === 'server' ? lines.find(({ path }) => path === 'traffic.averageMs') : lines[0]) ?? null
function quantileOf(run: Run, i: number): number {
  const line = lineOf(run)
  const value = line?.quantiles?.[i]?.value ?? Number.NaN
  return line?.unit === 'ms' ? spanFromMs(value) : value
}
const rateOf = (run: Run): number =>
  (run.figures.feed === 'server'
    ? run.figures.lines.find(({ path }) => path === 'traffic.requests')?.mean
    : lineOf(run)?.rate
  )?.value ?? Number.NaN

const FIGURES: readonly {
  readonly title: string
  readonly of: (run: Run) => number
  readonly format: (value: number) => string
}[] = [
  { title: 'Throughput', of: rateOf, format: formatRate },
  ...SHARES.map((share, i) => ({
    title: `Latency, ${shareName(share)}`,
    of: (run: Run): number => quantileOf(run, i),
    format: formatDuration,
  })),
]

interface RunRegisterProps {
  readonly log: RunLog
  readonly runs: readonly Run[]
  /** Whether the browser stores the runs; otherwise they last as long as this page. */
  readonly isStored: boolean
  readonly clock: Clock
  readonly onTake: (run: Run, side: SideName) => void
}

/** Stored runs as rows, and as a bar for each figure; they can be compared, exported, imported and deleted. */
export function RunRegister({ log, runs, isStored, clock, onTake }: RunRegisterProps): ReactNode {
  const { attempt, failure } = useAttempt()
  const [note, setNote] = useState('')
  const exportAll = (): Promise<void> => {
    const text = formatRuns(runs)
    return saveText([text], { name: 'rookery-runs.json', mediaType: 'application/json', expectedBytes: text.length })
  }
  const importFrom = async (file: File): Promise<void> => {
    const found = parseRuns(await file.text())
    if (found === null) {
      setNote(`${file.name} is no file of runs. Choose one that was exported here.`)
      return
    }
    const dropped = log.put(found)
    const older = dropped === 0 ? '' : ` ${formatPlural(dropped, 'older run')} no longer fit and were dropped.`
    setNote(`${formatPlural(found.length, 'run')} imported.${older}`)
  }
  return (
    <section aria-label="Runs" className={styles.runs}>
      <div className={report.tools}>
        <h2 className={styles.heading}>Runs</h2>
        <Button small disabled={runs.length === 0} onClick={() => void attempt('Could not export', exportAll)}>
          Export runs
        </Button>
        <FileButton
          input="File of runs"
          small
          accept=".json,application/json"
          onFiles={([file]) => void attempt('Could not import', () => importFrom(file))}
        >
          Import runs
        </FileButton>
        <AttemptFailure of={failure} />
        {note === '' ? null : (
          <span role="status" className="faint">
            {note}
          </span>
        )}
      </div>
      {isStored ? null : (
        <Notice tone="warn" title="This browser did not store the runs.">
          Its storage is full or switched off, as in a private window. The runs are lost when this page closes: export
          them as a file, and import it when they are needed again.
        </Notice>
      )}
      {runs.length === 0 ? (
        <p className="faint">None yet. Save a side of a comparison as a run, to compare it with later ones.</p>
      ) : (
        <>
          <RunTable runs={runs} clock={clock} onTake={onTake} onRemove={(run) => log.remove(run.id)} />
          <Multiples runs={runs} />
        </>
      )}
    </section>
  )
}

interface RunTableProps {
  readonly runs: readonly Run[]
  readonly clock: Clock
  readonly onTake: (run: Run, side: SideName) => void
  readonly onRemove: (run: Run) => void
}

function RunTable({ runs, clock, onTake, onRemove }: RunTableProps): ReactNode {
  return (
    <SideScrollBox label="Runs as a table" role="group" className="raised">
      <table className={styles.table}>
        <caption className="spoken">Runs that were kept, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Saved</th>
            <th scope="col">Known by</th>
            {FIGURES.map(({ title }) => (
              <th key={title} scope="col" className={report.figure}>
                {title}
              </th>
            ))}
            <th scope="col">Bottleneck</th>
            <th scope="col">Length</th>
            <th scope="col">Workload</th>
            <th scope="col">Machine</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const line = lineOf(run)
            return (
              <tr key={run.id}>
                <th scope="row">
                  <span className={styles.run}>
                    <bdi>{run.name}</bdi>
                    <MenuButton
                      text={null}
                      label={`Actions on ${run.name}`}
                      icon="more"
                      items={[
                        { text: 'Use as before', onChoose: () => onTake(run, 'before') },
                        { text: 'Use as after', onChoose: () => onTake(run, 'after') },
                        { text: 'Delete', hint: 'From this browser', onChoose: () => onRemove(run) },
                      ]}
                    />
                  </span>
                </th>
                <td className={report.verdict}>{formatDateTime(ticksFromMs(run.savedMs), clock, 0)}</td>
                <td>{line === null ? UNKNOWN : `${line.name}, ${kindTitle(line.kind).toLowerCase()}`}</td>
                {FIGURES.map(({ title, of, format }) => (
                  <td key={title} className={report.figure}>
                    {format(of(run))}
                  </td>
                ))}
                <td>{run.bottleneck === '' ? UNKNOWN : run.bottleneck}</td>
                <td className={report.verdict}>{formatDuration(run.figures.endTicks - run.figures.startTicks)}</td>
                <td>{run.workload}</td>
                <td>{describeMachine(run)}</td>
                <td>{run.from}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </SideScrollBox>
  )
}

function describeMachine({ machine: { cores, memoryGib, volumes } }: Run): string {
  const parts = [
    cores === null ? '' : formatPlural(cores, 'core'),
    memoryGib === null ? '' : `${String(memoryGib)} GiB`,
    volumes,
  ].filter((part) => part !== '')
  return parts.length === 0 ? UNKNOWN : parts.join(', ')
}

/** Maximum number of runs in a chart, oldest first. */
const MOST_BARS = 12

/** A small chart for each figure, with the same runs in the same order; the table above has the numbers. */
function Multiples({ runs }: { readonly runs: readonly Run[] }): ReactNode {
  const shown = runs.slice(0, MOST_BARS).toReversed()
  if (shown.length < 2) return null
  return (
    <div className={styles.multiples} aria-hidden="true">
      {FIGURES.map(({ title, of, format }) => {
        const most = Math.max(Number.MIN_VALUE, ...shown.map(of).filter((value) => Number.isFinite(value)))
        return (
          <div key={title} className={styles.multiple}>
            <strong>{title}</strong>
            {shown.map((run) => (
              <div key={run.id} className={styles.barRow}>
                <span className={styles.barName}>{run.name}</span>
                <span className={styles.barTrack}>
                  <span
                    className={styles.bar}
                    style={{ width: `${Number.isFinite(of(run)) ? (100 * of(run)) / most : 0}%` }}
                  />
                </span>
                <span className={report.figure}>{format(of(run))}</span>
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}
