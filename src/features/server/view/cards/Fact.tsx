import type { ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import styles from './cards.module.css'

export interface FactProps {
  /** CSS class that sets the colour of the swatch. */
  readonly swatch?: string | undefined
  readonly name: string
  readonly title: string
  readonly value: string
}

/** A line of a card's list of facts. */
export const Fact = ({ swatch, name, title, value }: FactProps): ReactNode => (
  <div title={title}>
    <dt>
      {swatch === undefined ? null : <span className={cx(styles.swatch, swatch)} aria-hidden="true" />}
      {name}
    </dt>
    <dd>{value}</dd>
  </div>
)

/** Formats a mean of counts: below 10 with one decimal, otherwise rounded. */
export const formatMean = (count: number): string => (count < 10 ? count.toFixed(1) : formatCount(Math.round(count)))
