import type { ReactNode } from 'react'
import { useIndexesToActOn } from '../../../../actions/client/use-indexes.ts'
import { ActionMenu } from '../../../../actions/view/ActionMenu.tsx'
import type { ActsOn } from '../../contract.ts'
import styles from './triage.module.css'

/** More are acted on in the table of indexes. */
const MOST = 3

/** What heals a finding, on the spot: a menu for each index that it names. */
export function FindingActions({ actsOn: { database, names } }: { readonly actsOn: ActsOn }): ReactNode {
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
    <div className={styles.actsOn}>
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
