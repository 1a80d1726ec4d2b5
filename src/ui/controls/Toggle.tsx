import type { ReactNode } from 'react'
import styles from './Toggle.module.css'
import { cx } from '../theme/cx.ts'

interface ToggleProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly title?: string
}

/** Switch that takes effect at once; its words say what is on. */
export function Toggle({ label, checked, onChange, title }: ToggleProps): ReactNode {
  return (
    <label className={cx('inline', styles.toggle)} title={title}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span className={styles.track} aria-hidden="true" />
      {label}
    </label>
  )
}
