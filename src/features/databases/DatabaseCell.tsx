import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration, UNKNOWN } from '../../base/format.ts'
import { spanFromMs } from '../../base/ticks.ts'
import { Badge, StateDot } from '../../ui/Badge.tsx'
import type { Tone } from '../../ui/Badge.tsx'
import type { DatabaseRow, DatabaseState } from '../../ravendb/databases.ts'
import styles from './databases.module.css'

const TONES: Record<DatabaseState, Tone> = {
  online: 'ok',
  loading: 'busy',
  unloaded: 'idle',
  disabled: 'warn',
  faulted: 'error',
}

const DatabaseStateWords = ({ state }: { readonly state: DatabaseState }): ReactNode => (
  <StateDot tone={TONES[state]}>{state}</StateDot>
)

/** A figure that nobody told is a dash, said as "not known"; a nought stands back behind what is more. */
function Figure({
  value,
  format,
  alarm,
}: {
  readonly value: number | null
  readonly format: (value: number) => string
  readonly alarm?: Tone
}): ReactNode {
  if (value === null)
    return (
      <span className={styles.faint} title="not known">
        {UNKNOWN}
      </span>
    )
  if (alarm !== undefined && value > 0) return <StateDot tone={alarm}>{format(value)}</StateDot>
  return <span className={value === 0 ? styles.faint : undefined}>{format(value)}</span>
}

/** One cell of the list, as text. */
export function DatabaseCell({ row, columnId }: { readonly row: DatabaseRow; readonly columnId: string }): ReactNode {
  switch (columnId) {
    case 'name':
      return (
        <span className={styles.name} title={row.name}>
          <bdi>{row.name}</bdi>
          {row.isSharded ? <Badge>shard</Badge> : null}
        </span>
      )
    case 'state':
      return (
        <span className={styles.state} title={row.error ?? undefined}>
          <DatabaseStateWords state={row.state} />
          {row.error === null ? null : <span className={styles.faint}>{row.error}</span>}
          {row.unloadsSoon === true ? <span className={styles.faint}>unloads soon</span> : null}
          {row.indexingStatus === null || row.indexingStatus === 'Running' ? null : (
            <Badge tone="warn">{`indexing ${row.indexingStatus.toLowerCase()}`}</Badge>
          )}
        </span>
      )
    case 'documents':
      return <Figure value={row.documents} format={formatCount} />
    case 'indexes':
      return <Figure value={row.indexes} format={formatCount} />
    case 'size':
      return <Figure value={row.sizeBytes} format={formatBytes} />
    case 'temp':
      return <Figure value={row.tempBytes} format={formatBytes} />
    case 'upTime':
      return <Figure value={row.upTimeMs} format={(ms) => formatDuration(spanFromMs(Math.floor(ms / 1000) * 1000))} />
    case 'errors':
      return <Figure value={row.indexingErrors} format={formatCount} alarm="error" />
    case 'alerts':
      return <Figure value={row.alerts} format={formatCount} alarm="warn" />
    default:
      return null
  }
}
