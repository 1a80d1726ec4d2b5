import type { ReactNode } from 'react'
import { formatByteRate, formatBytes, formatPlural, formatRate, formatShare } from '../../../base/format.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { cx } from '../../../ui/cx.ts'
import type { Volume } from '../queries.ts'
import { formatSpanMs } from './words.ts'
import styles from './cards.module.css'

/** Every volume that data lives on: how full, since it matters most; how busy; and what lives there. */
export function VolumesCard({ volumes }: { readonly volumes: readonly Volume[] }): ReactNode {
  if (volumes.length === 0) return null
  return (
    <section className={styles.card} aria-label="Volumes">
      <h2>{volumes.length === 1 ? 'Volume' : 'Volumes'}</h2>
      {volumes.map((volume) => (
        <VolumeFacts key={volume.mount} volume={volume} />
      ))}
    </section>
  )
}

/** So many are named at once; the rest is behind a fold. */
const FIRST_NAMES = 3

function VolumeFacts({ volume }: { readonly volume: Volume }): ReactNode {
  const { totalBytes, freeBytes, ravenBytes, ravenTempBytes, environments, io } = volume
  const others = Math.max(0, totalBytes - freeBytes - ravenBytes - ravenTempBytes)
  const part = (bytes: number): { width: string } => ({ width: `${String((bytes / Math.max(1, totalBytes)) * 100)}%` })
  return (
    <div className={styles.block}>
      <p className={styles.line}>
        <bdi className={styles.name} title={volume.mount}>
          {volume.mount}
        </bdi>
        {volume.label === null || volume.label === '' ? null : <span className={styles.faint}>{volume.label}</span>}
        <span className={styles.push} />
        {volume.isLow ? <StateDot tone="error">low on space</StateDot> : null}
      </p>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${formatBytes(freeBytes)} free of ${formatBytes(totalBytes)}`}
        title={`This server ${formatBytes(ravenBytes)}, its temporary buffers ${formatBytes(ravenTempBytes)}, others ${formatBytes(others)}, free ${formatBytes(freeBytes)}`}
      >
        <div className={styles.raven} style={part(ravenBytes)} />
        <div className={styles.temp} style={part(ravenTempBytes)} />
        <div className={styles.othersPart} style={part(others)} />
      </div>
      <p>
        <b>{formatBytes(freeBytes)}</b> free of {formatBytes(totalBytes)} ({formatShare(freeBytes / totalBytes)})
        {volume.fullInMs === null ? '' : `, full in ${formatSpanMs(volume.fullInMs)} at the rate of the last hour`}
      </p>
      <p className={styles.faint}>
        this server {formatBytes(ravenBytes)} and {formatBytes(ravenTempBytes)} temporary; others {formatBytes(others)}
      </p>
      {io === null ? (
        <p className={styles.faint}>Its I/O is not told.</p>
      ) : (
        <dl className={styles.figures}>
          <Figure name="Read" value={formatByteRate(io.readBytesPerSecond)} more={formatRate(io.readsPerSecond)} />
          <Figure name="Write" value={formatByteRate(io.writeBytesPerSecond)} more={formatRate(io.writesPerSecond)} />
          <Figure
            name="Queue"
            value={io.queueLength === null ? '—' : String(io.queueLength)}
            more={io.queueLength === null ? 'not told' : 'waiting'}
          />
        </dl>
      )}
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
                <bdi className={styles.name}>{each.database}</bdi>
                <span className={styles.push} />
                <span title={`and ${formatBytes(each.tempBytes)} of temporary buffers`}>{formatBytes(each.bytes)}</span>
              </li>
            ))}
            {volume.moreEnvironments === 0 ? null : (
              <li className={styles.faint}>and {formatPlural(volume.moreEnvironments, 'smaller one')}</li>
            )}
          </ul>
        </details>
      )}
    </div>
  )
}

function Figure({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly more: string
}): ReactNode {
  return (
    <div className={cx(styles.figure)}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className={styles.faint}>{more}</dd>
    </div>
  )
}
