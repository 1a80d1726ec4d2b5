import type { ReactNode } from 'react'
import { formatBytes, formatCount } from '../../../../base/text/format.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import styles from './timeline.module.css'
import { KindSwatch } from './KindSwatch.tsx'
import { kindLook } from './kinds.ts'
import type { LayoutRow } from './layout.ts'

export interface GutterProps {
  /** Those in sight. */
  readonly rows: readonly LayoutRow[]
  readonly scrollPx: number
  readonly onToggle: (row: LayoutRow) => void
}

/** Names of the rows beside the plot; a click opens a lane into kinds, and a kind into files. */
export function Gutter({ rows, scrollPx, onToggle }: GutterProps): ReactNode {
  return (
    <>
      {rows.map((row) => (
        <div
          key={row.key}
          className={cx(styles.row, styles[row.type])}
          style={{ top: row.topPx - scrollPx, height: row.heightPx }}
        >
          <RowLabel row={row} onToggle={() => onToggle(row)} />
        </div>
      ))}
    </>
  )
}

function RowLabel({ row, onToggle }: { readonly row: LayoutRow; readonly onToggle: () => void }): ReactNode {
  const { lane } = row
  if (row.type === 'source')
    return (
      <span className={styles.name} title={row.label}>
        <Icon
          name={row.source === 'server' ? 'server' : row.source.startsWith('file:') ? 'file' : 'database'}
          sizePx={13}
        />{' '}
        <bdi>{row.label}</bdi>
      </span>
    )
  if (row.type === 'file')
    return (
      <span className={styles.name} title={`${row.label}${row.file?.status == null ? '' : `, ${row.file.status}`}`}>
        <bdi className={styles.fileName}>{row.label.replace(/^0+(?=\d)/, '…')}</bdi>
        <span className={styles.figure}>{row.file?.sizeBytes == null ? '' : formatBytes(row.file.sizeBytes)}</span>
      </span>
    )
  const totals = row.type === 'kind' ? lane?.kinds.find((each) => each.kind === row.kind) : undefined
  const title = row.type === 'kind' ? kindLook(row.label).title : row.label
  return (
    <button
      type="button"
      className={styles.name}
      aria-expanded={row.expanded}
      onClick={onToggle}
      title={row.type === 'lane' ? (lane?.path ?? '') : title}
    >
      <span className={styles.chevron}>
        <Icon name="chevron" sizePx={12} />
      </span>
      {row.type === 'kind' && row.kind !== null ? <KindSwatch kind={row.kind} /> : null}
      <bdi className={cx(styles.words, lane?.labelIsReal === false && row.type === 'lane' && styles.guess)}>
        {title}
      </bdi>
      {totals === undefined ? null : <span className={styles.figure}>{formatCount(totals.count)}</span>}
      {row.type === 'lane' && lane !== null && lane.type !== 'Index' && lane.type !== row.label ? (
        <span className={styles.figure}>{lane.type}</span>
      ) : null}
    </button>
  )
}
