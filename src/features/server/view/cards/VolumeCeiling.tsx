import { useState, type ReactNode } from 'react'
import { formatShare } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { NumberField } from '../../../../ui/controls/ValueFields.tsx'
import styles from './cards.module.css'
import {
  headroomOf,
  loadOf,
  neededShare,
  readLimits,
  writeLimits,
  type VolumeLimits,
  type VolumeSeries,
} from './volume-ceiling.ts'
import { describeRoom, formatLoad } from './volume-words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const DAY_TICKS = 86_400 * TICKS_PER_SECOND
const MINUTE_TICKS = 60 * TICKS_PER_SECOND
/** Maximum number of points: a day in buckets of half a minute. */
const MOST_POINTS = 2880
const FIGURES = ['reads', 'writes', 'readBytes', 'writeBytes'] as const

interface VolumeCeilingProps {
  readonly mount: string
  readonly serverId: string | null
  readonly nowTicks: Ticks | null
}

/** Used share of a volume's capacity: of the highest load measured in a day, or of limits that the user typed. */
export function VolumeCeiling({ mount, serverId, nowTicks }: VolumeCeilingProps): ReactNode {
  const [limits, setLimits] = useState(() => readLimits(serverId, mount))
  const minute = nowTicks === null ? null : Math.ceil(nowTicks / MINUTE_TICKS)
  const endTicks = ((minute ?? 0) * MINUTE_TICKS) as Ticks
  const { response } = useRequest(
    'server.series',
    minute === null
      ? undefined
      : {
          startTicks: (endTicks - DAY_TICKS) as Ticks,
          endTicks,
          keys: FIGURES.map((figure) => `volume.${figure}|${mount}`),
          maxPoints: MOST_POINTS,
        },
    { version: nowTicks === null ? 0 : Math.floor(nowTicks / (MINUTE_TICKS / 2)), everyMs: 5000 },
  )
  const set = (parts: Partial<VolumeLimits>): void => {
    const next = { ...limits, ...parts }
    setLimits(next)
    writeLimits(serverId, mount, next)
  }
  const [reads, writes, readBytes, writeBytes] = response?.series ?? []
  const series: VolumeSeries | null =
    reads === undefined || writes === undefined || readBytes === undefined || writeBytes === undefined
      ? null
      : { reads, writes, readBytes, writeBytes }
  const load = series === null ? null : loadOf(series)
  const needed = load === null || limits.price === null ? null : neededShare(load, limits)
  return (
    <div role="group" aria-label={`Ceiling of ${mount}`}>
      {load === null ? (
        <p className="faint">Ceiling: nothing was seen for half a minute yet.</p>
      ) : (
        <>
          <dl className={styles.facts}>
            {(['iops', 'megabytes'] as const).map((of) => {
              const room = headroomOf(load, limits, of)
              const unit = of === 'iops' ? 'IOPS' : 'MB/s'
              return (
                <div key={of} title="Reads and writes together, of all programs; mean of half a minute">
                  <dt>{unit}</dt>
                  <dd>{room === null ? 'none seen' : describeRoom(room, unit)}</dd>
                </div>
              )
            })}
          </dl>
          <p className="faint">
            {limits.iops === null || limits.megabytes === null
              ? 'Without a typed limit the ceiling is the highest mean of half a minute that was seen in a day: the volume may do more. '
              : `The highest seen in a day: ${formatLoad(load.peak.iops)} IOPS, ${formatLoad(load.peak.megabytes)} MB/s. `}
            {needed === null || limits.price === null
              ? ''
              : `That needs ${formatShare(needed)} of the limits: ${formatLoad(needed * limits.price)} of ${formatLoad(limits.price)}.`}
          </p>
        </>
      )}
      <details className={styles.details}>
        <summary>Limits of this volume</summary>
        <div className={cx('wrap', styles.fields)}>
          <NumberField label="IOPS limit" unit="IOPS" min={1} value={limits.iops} onChange={(iops) => set({ iops })} />
          <NumberField
            label="Throughput limit"
            unit="MB/s"
            min={1}
            value={limits.megabytes}
            onChange={(megabytes) => set({ megabytes })}
          />
          <NumberField label="Price" min={0.01} value={limits.price} onChange={(price) => set({ price })} />
        </div>
      </details>
    </div>
  )
}
