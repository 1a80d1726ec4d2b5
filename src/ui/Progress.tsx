import type { ReactNode } from 'react'
import styles from './Progress.module.css'
import { cx } from './theme/cx.ts'

/** Indicates work without a known end; the words say which. */
export function Spinner({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <span className={cx('inline', styles.spinner)} role="status">
      <svg className={styles.ring} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="26 12" />
      </svg>
      {children}
    </span>
  )
}

/** Progress bar; `share` null: not known. */
export function Progress({ label, share }: { readonly label: string; readonly share: number | null }): ReactNode {
  return (
    <label className={cx('note', styles.progress)}>
      <span>{label}</span>
      <progress className={styles.bar} max={1} value={share ?? undefined} />
    </label>
  )
}
