import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './triage.module.css'

interface RuleListProps {
  readonly rules: readonly { readonly rule: string; readonly title: string; readonly reason: string }[]
}

/** Collapsed list of the rules, each with its reason. */
export function RuleList({ rules }: RuleListProps): ReactNode {
  if (rules.length === 0) return null
  return (
    <details className={cx('faint', styles.fold)}>
      <summary>How this is judged: {formatPlural(rules.length, 'rule')}</summary>
      <dl className={styles.rules}>
        {rules.map(({ rule, title, reason }) => (
          <div key={rule}>
            <dt>{title}</dt>
            <dd>{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
