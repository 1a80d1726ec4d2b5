import type { CSSProperties, ReactNode } from 'react'
import { useTallest } from './hooks/useTallest.ts'
import { cx } from './theme/cx.ts'
import styles from './panel-sentence.module.css'

interface PanelSentenceProps {
  readonly children: ReactNode
  /** Lines to reserve for a sentence that grows: on a wide page, and on a narrow one. It never gets lower again. */
  readonly lines?: readonly [wide: number, narrow: number]
  /** Whether controls stand in its row: it takes the width that they leave. */
  readonly isBeside?: boolean
  /** Whether it is the heading of the page, not of a panel's charts or tables. */
  readonly isHeading?: boolean
  /** Whether it speaks of an earlier time. */
  readonly isPast?: boolean
  /** Whether what it says is being requested again. */
  readonly isBusy?: boolean
}

/** Sentence at the top of a panel, which says what the panel shows, and is announced when it changes. */
export const PanelSentence = ({
  children,
  lines,
  isBeside,
  isHeading,
  isPast,
  isBusy,
}: PanelSentenceProps): ReactNode => (
  <p
    ref={useTallest()}
    className={cx(
      styles.sentence,
      isBeside === true && styles.beside,
      isHeading === true && styles.heading,
      isPast === true && 'faint',
      isBusy === true && 'stale',
    )}
    style={lines === undefined ? undefined : ({ '--lines': lines[0], '--narrow-lines': lines[1] } as CSSProperties)}
    role="status"
    aria-busy={isBusy}
  >
    {children}
  </p>
)
