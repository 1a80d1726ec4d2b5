import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './triage.module.css'

interface ReasonsProps {
  readonly summary: string
  readonly reasons: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

/** Collapsed list of rules with a text about each. */
export const Reasons = ({ summary, reasons }: ReasonsProps): ReactNode =>
  reasons.length === 0 ? null : (
    <details className={cx('faint', styles.fold)}>
      <summary>{summary}</summary>
      <dl className={styles.rules}>
        {reasons.map(({ rule, title, reason }) => (
          <div key={rule}>
            <dt>{title}</dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  )

interface RuleListProps {
  readonly rules: ReasonsProps['reasons']
}

/** Collapsed list of the rules, each with its reason. */
export const RuleList = ({ rules }: RuleListProps): ReactNode => (
  <Reasons summary={`How this is judged: ${formatPlural(rules.length, 'rule')}`} reasons={rules} />
)
