import { formatSpanMs } from '../../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import type { Ticks } from '../../../../base/ticks.ts'
import { formatByteRate, formatBytes, formatPlural, formatRate, formatShare } from '../../../../base/text/format.ts'
import { DatabaseLink } from '../../../../capture/frame/DatabaseLink.tsx'
import { StateDot } from '../../../../ui/Badge.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { Volume } from '../../../../feeds/server/contract/machine.ts'
import styles from './cards.module.css'
import { Fact } from './Fact.tsx'
import { VolumeCeiling } from './VolumeCeiling.tsx'

interface VolumesCardProps {
  readonly volumes: readonly Volume[]
  readonly serverId: string | null
  readonly nowTicks: Ticks | null
}

/** Every volume that holds data: how full it is (first, since it matters most), how busy, and what it stores. */
export function VolumesCard({ volumes, serverId, nowTicks }: VolumesCardProps): ReactNode {
  if (volumes.length === 0) return null
  return (
    <section className={cx('raised', styles.card)} aria-label="Volumes">
      <h2>{volumes.length === 1 ? 'Volume' : 'Volumes'}</h2>
      {volumes.map((volume) => (
        <VolumeFacts key={volume.mount} volume={volume}>
          <VolumeCeiling mount={volume.mount} serverId={serverId} nowTicks={nowTicks} />
        </VolumeFacts>
      ))}
    </section>
  )
}

/** Number of names that are shown at first; the others are collapsed. */
const FIRST_NAMES = 3

function VolumeFacts({ volume, children }: { readonly volume: Volume; readonly children: ReactNode }): ReactNode {
  const { totalBytes, freeBytes, ravenBytes, ravenTempBytes, environments, io } = volume
  // Data of other programs and blocks that the file system reserves: the server reports nothing that separates the two.
  const rest = Math.max(0, totalBytes - freeBytes - ravenBytes - ravenTempBytes)
  const part = (bytes: number): { width: string } => ({ width: `${String((bytes / Math.max(1, totalBytes)) * 100)}%` })
  return (
    <div className={styles.block} role="group" aria-label={`Volume ${volume.mount}`}>
      <p className={styles.line}>
        <bdi className={cx('cut', styles.name)} title={volume.mount}>
          {volume.mount}
        </bdi>
        {volume.label === null || volume.label === '' ? null : <span className="faint">{volume.label}</span>}
        <span className="push" />
        {volume.isLow ? <StateDot tone="error">low on space</StateDot> : null}
      </p>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${formatBytes(freeBytes)} free of ${formatBytes(totalBytes)}`}
      >
        <div className={styles.raven} style={part(ravenBytes)} />
        <div className={styles.temp} style={part(ravenTempBytes)} />
        <div className={styles.othersPart} style={part(rest)} />
      </div>
      <p>
        <b>{formatBytes(freeBytes)}</b> free of {formatBytes(totalBytes)} ({formatShare(freeBytes / totalBytes)})
        {volume.fullInMs === null
          ? ''
          : `, full in ${formatSpanMs(volume.fullInMs)} at the rate of the last ${formatSpanMs(volume.shrinksOverMs)}`}
      </p>
      <dl className={styles.facts}>
        <Fact
          swatch={styles.raven}
          name="RavenDB data, journals in use"
          title="Data files and journals of all databases and of the server itself that lie here, without journals that are flushed and wait for a data sync: the server’s sum leaves them out"
          value={formatBytes(ravenBytes)}
        />
        <Fact
          swatch={styles.temp}
          name="RavenDB temp, spare journals"
          title="Temporary buffers, and journals that are prepared for reuse and hold no data: often half of it"
          value={formatBytes(ravenTempBytes)}
        />
        <Fact
          swatch={styles.othersPart}
          name="Used by others, reserved, flushed journals"
          title="Other files, blocks that the file system reserves for root, and journals of RavenDB that are flushed and wait for a data sync; how much of each, the server does not report"
          value={formatBytes(rest)}
        />
        <Fact name="Free" title="What RavenDB can still take" value={formatBytes(freeBytes)} />
        <Fact name="Capacity" title="Of the file system, reserved blocks included" value={formatBytes(totalBytes)} />
      </dl>
      {io === null ? (
        <p className="faint">The server reports no I/O of it.</p>
      ) : (
        <dl className={cx('stack', styles.figures)}>
          <Figure name="Read" value={formatByteRate(io.readBytesPerSecond)} more={formatRate(io.readsPerSecond)} />
          <Figure name="Write" value={formatByteRate(io.writeBytesPerSecond)} more={formatRate(io.writesPerSecond)} />
          <Figure
            name="Queue"
            value={io.queueLength === null ? '—' : String(io.queueLength)}
            more={io.queueLength === null ? 'not reported' : 'in flight'}
          />
        </dl>
      )}
      {io === null ? null : children}
      {environments.length === 0 ? null : (
        <details className={styles.details}>
          <summary>
            {environments
              .slice(0, FIRST_NAMES)
              .map((each) => each.database)
              .join(', ')}
            {environments.length + volume.moreEnvironments > FIRST_NAMES
              ? ` and ${formatPlural(environments.length + volume.moreEnvironments - FIRST_NAMES, 'more', 'more')}`
              : ''}
          </summary>
          <ul className={styles.list}>
            {environments.map((each) => (
              <li key={each.database} className={styles.line}>
                <DatabaseLink name={each.database} className={cx('cut', styles.name)} />
                <span className="push" />
                <span
                  title={`and ${formatBytes(each.tempBytes)} of temporary buffers and spare journals; without journals that are flushed and wait for a data sync`}
                >
                  {formatBytes(each.bytes)}
                </span>
              </li>
            ))}
            {volume.moreEnvironments === 0 ? null : (
              <li className="faint">and {formatPlural(volume.moreEnvironments, 'smaller one')}</li>
            )}
          </ul>
        </details>
      )}
    </div>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly more: string
}

function Figure({ name, value, more }: FigureProps): ReactNode {
  return (
    <div className={cx(styles.figure)}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className="faint">{more}</dd>
    </div>
  )
}
