import { formatMoment } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import type { Clock } from '../../../base/text/format.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { useIndexesToActOn } from '../../../actions/client/use-indexes.ts'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import { ActionMenu } from '../../../actions/view/ActionMenu.tsx'
import { StoppedHere } from '../../../actions/view/StoppedHere.tsx'
import type { ActsOn } from '../contract/findings.ts'
import styles from './list.module.css'
import { cx } from '../../../ui/theme/cx.ts'

/** Maximum number of indexes with actions beside the finding; the table of indexes has actions for all. */
const MOST = 3

const FAULTED = { state: 'faulted' }

interface FindingActionsProps {
  readonly actsOn: ActsOn
  readonly nowTicks: Ticks | null
  readonly clock: Clock
}

/** Actions that resolve a finding, with a note if an action of this browser caused it. */
export function FindingActions({ actsOn, nowTicks, clock }: FindingActionsProps): ReactNode {
  const { kind, database, names } = actsOn
  if (kind === 'index')
    return (
      <>
        <StoppedHere database={database} indexes={names} at={(ticks) => formatMoment(ticks, nowTicks, clock)} />
        <IndexActions database={database} names={names} />
      </>
    )
  if (kind === 'database')
    return (
      <div className={cx('wrap', styles.actsOn)}>
        <ActionButton action="database.load" target={{ kind, database, name: null }} facts={FAULTED} />
      </div>
    )
  return (
    <div className={cx('wrap', styles.actsOn)}>
      {names.slice(0, MOST).map((name) => (
        <ActionButton key={name} action="query.kill" target={{ kind, database, name }} />
      ))}
    </div>
  )
}

/** Menu of actions for each index that the finding names. */
function IndexActions({ database, names }: Pick<ActsOn, 'database' | 'names'>): ReactNode {
  const indexes = useIndexesToActOn(database)
  const known = new Map((indexes ?? []).map((index) => [index.name, index.facts]))
  const shown =
    names.length > 0
      ? names
      : (indexes ?? []).flatMap(({ name, facts }) =>
          facts.status === 'Paused' || facts.state === 'Disabled' ? [name] : [],
        )
  if (indexes === null) return null
  return (
    <div className={cx('wrap', styles.actsOn)}>
      {shown.slice(0, MOST).map((name) => (
        <ActionMenu
          key={name}
          target={{ kind: 'index', database, name }}
          facts={known.get(name) ?? {}}
          text={shown.length === 1 ? 'Act on it' : `Act on ${name}`}
        />
      ))}
    </div>
  )
}
