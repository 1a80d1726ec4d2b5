import type { ReactNode } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { TriageItem } from '../contract/findings.ts'
import styles from './triage.module.css'

interface VerdictIconProps {
  readonly isCalm: boolean
  /** Level of the worst finding; undefined: there is none, or it is of the past. */
  readonly worst: TriageItem['level'] | undefined
}

const ICONS = { calm: 'check', open: 'history', warning: 'alert', critical: 'alert' } as const

/** Icon before Triage's sentence. There is one for each verdict, so that the sentence stays where it is when it changes. */
export const VerdictIcon = ({ isCalm, worst }: VerdictIconProps): ReactNode => {
  const trouble = worst === 'info' ? undefined : worst
  const verdict = isCalm ? 'calm' : (trouble ?? 'open')
  return (
    <span className={cx(styles.verdict, verdict !== 'open' && styles[verdict])} data-verdict={verdict}>
      <Icon name={ICONS[verdict]} sizePx={20} />
    </span>
  )
}
