import type { ReactNode } from 'react'
import styles from './legend.module.css'
import { cx } from './theme/cx.ts'

interface LegendBoxProps {
  /** Marks with their names, in sight while the box is closed. */
  readonly heads: ReactNode
  readonly children: ReactNode
}

/** Legend of a timeline: its marks in a line, and how to read and move it once opened. */
export const LegendBox = ({ heads, children }: LegendBoxProps): ReactNode => (
  <details className={cx('raised', styles.legend)}>
    <summary className={cx('wrap', styles.summary)}>
      <span className={cx('wrap', styles.heads)}>{heads}</span>
      <span className={styles.more}>How to read and move this</span>
    </summary>
    <div className={styles.body}>{children}</div>
  </details>
)

/** Steps of a scale of colours, from the lowest on. */
export const ColourRamp = ({ colours }: { readonly colours: readonly string[] }): ReactNode => (
  <span className={styles.ramp} aria-hidden="true">
    {colours.map((colour) => (
      <span key={colour} style={{ background: colour }} />
    ))}
  </span>
)
