import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'
import { cx } from './theme/cx.ts'

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** Placeholder for an empty view: the reason, and the next step. */
export function EmptyState({ title, children, actions }: EmptyStateProps): ReactNode {
  return (
    <div className={cx('stack', styles.empty)}>
      <h2 className="large">{title}</h2>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {actions === undefined ? null : <div className={cx('wrap', styles.actions)}>{actions}</div>}
    </div>
  )
}
