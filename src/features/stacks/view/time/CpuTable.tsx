import type { ReactNode } from 'react'
import type { CssPx } from '../../../../base/brand.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { LookSwatch } from '../../../../capture/frame/lanes/LaneLegend.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { JobKey } from '../../../../feeds/stacks/contract/ids.ts'
import { JOBS } from '../lanes/cpu-tracks.ts'
import { formatPercent } from '../words.ts'
import { cpuBands, lookOf, RESTS, sumUp } from './cpu-areas.ts'
import styles from './cpu.module.css'

interface CpuTableProps {
  readonly range: TimeRange
  readonly version: number
  readonly chosen: readonly JobKey[]
  readonly onJob: (key: JobKey) => void
}

/** Maximum number of buckets; in ranges over nine minutes they are longer than a second. */
const BUCKETS = 550 as CssPx
const NOT_REPORTED = 'The CPU of the whole machine comes from the server’s dashboard, which sent no data in this range.'

/** Names of the bands with their means in the range, as legend and table of the chart. */
export function CpuTable({ range, version, chosen, onJob }: CpuTableProps): ReactNode {
  const { startTicks, endTicks } = range
  const { response: history } = useRequest(
    'threads.history',
    { startTicks, endTicks, widthPx: BUCKETS, limit: JOBS },
    { version, everyMs: 500 },
  )
  const hasData = history !== null && !Number.isNaN(sumUp(history.others).mean)
  return (
    <div className={styles.legend}>
      <table className={cx('figures', styles.figures)} aria-label="CPU of the machine in this range">
        <thead>
          <tr>
            <th scope="col">CPU of the machine</th>
            <th scope="col">mean</th>
            <th scope="col">most</th>
          </tr>
        </thead>
        <tbody>
          {history === null
            ? null
            : [...cpuBands(history), null].map((band) => {
                const { mean, most } = sumUp(band === null ? history.idle : band.percent)
                const isRest = band === null || RESTS.has(band.key)
                if (!(mean > 0) && !(isRest && hasData)) return null
                return (
                  <tr key={band?.key ?? 'idle'} title={Number.isNaN(mean) ? NOT_REPORTED : undefined}>
                    <th scope="row">
                      <span className={cx('line', styles.label)}>
                        {band === null ? null : <LookSwatch look={lookOf(band)} />}
                        {band === null || band.job === null ? (
                          <span className={styles.title}>{band?.title ?? 'Idle'}</span>
                        ) : (
                          <button
                            type="button"
                            className={cx('cut bare', styles.job)}
                            aria-pressed={chosen.includes(band.key)}
                            title={`${band.title}: show only its threads`}
                            onClick={() => onJob(band.key)}
                          >
                            {band.title}
                          </button>
                        )}
                      </span>
                    </th>
                    <td>{formatPercent(mean)}</td>
                    <td>{formatPercent(most)}</td>
                  </tr>
                )
              })}
        </tbody>
      </table>
    </div>
  )
}
