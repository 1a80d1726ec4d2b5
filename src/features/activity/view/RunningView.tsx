import type { ReactNode } from 'react'
import type { Clock } from '../../../base/text/format.ts'
import styles from './activity.module.css'
import { NO_FILTER } from './operation-filter.ts'
import { OperationsView } from './OperationsView.tsx'
import { QueriesView } from './QueriesView.tsx'

const nothing = (): void => {}

/** Running queries and operations; ended ones are in their own views. */
export const RunningView = ({ clock }: { readonly clock: Clock }): ReactNode => (
  <>
    <h2 className={styles.section}>Queries</h2>
    <QueriesView shown="" onShow={nothing} clock={clock} isRunningOnly />
    <h2 className={styles.section}>Operations</h2>
    <OperationsView filter={NO_FILTER} onFilter={nothing} clock={clock} isRunningOnly />
  </>
)
