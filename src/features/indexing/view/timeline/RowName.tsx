import type { ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import type { LaneRow } from './layout.ts'
import styles from './timeline.module.css'

/** Names of the lanes beside the plot; a click opens a lane into the operations of its batches. */
export function LaneGutter({
  rows,
  scrollPx,
  onToggle,
}: {
  /** Those in sight. */
  readonly rows: readonly LaneRow[]
  readonly scrollPx: number
  readonly onToggle: (row: LaneRow) => void
}): ReactNode {
  return rows.map((row) => (
    <div
      key={row.key}
      className={cx(styles.row, row.type === 'source' && styles.source)}
      style={{ top: row.topPx - scrollPx, height: row.heightPx }}
    >
      {row.type === 'source' ? (
        <span className={styles.name}>
          <Icon name={row.source.startsWith('file:') ? 'file' : 'database'} sizePx={13} /> <bdi>{row.label}</bdi>
        </span>
      ) : (
        <LaneName row={row} onToggle={() => onToggle(row)} />
      )}
    </div>
  ))
}

const TROUBLE = { faulty: 'faulty', error: 'in error', gone: 'gone' } as const

function LaneName({ row, onToggle }: { readonly row: LaneRow; readonly onToggle: () => void }): ReactNode {
  const { index } = row
  if (index === null) return null
  const state =
    index.trouble !== null
      ? TROUBLE[index.trouble]
      : index.replaces !== null
        ? 'replacement'
        : (index.runningState ??
          (index.facts?.status === 'Paused' || index.facts?.status === 'Disabled'
            ? index.facts.status.toLowerCase()
            : null))
  const left = index.progress === null ? '' : `, ${formatCount(index.progress.itemsLeft)} documents left`
  return (
    <button
      type="button"
      className={cx(styles.name, row.expanded && styles.opened)}
      aria-expanded={row.expanded}
      onClick={onToggle}
      title={[index.name, `${formatCount(index.counts.batches)} batches seen${left}`, index.note]
        .filter((line) => line !== '')
        .join(' · ')}
    >
      <span className={styles.chevron}>
        <Icon name="chevron" sizePx={12} />
      </span>
      <bdi className={styles.words}>{row.label}</bdi>
      {state === null ? null : (
        <span className={cx(styles.state, index.trouble !== null && styles.trouble)}>{state}</span>
      )}
    </button>
  )
}
