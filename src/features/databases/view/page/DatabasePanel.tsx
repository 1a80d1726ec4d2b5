import type { ReactNode } from 'react'
import { databaseKey } from '../../../../base/text/database-key.ts'
import { useDatabaseScope } from '../../../../capture/client/database-scope.ts'
import type { PanelProps } from '../../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../../capture/frame/PanelFrame.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { joinFacts } from '../../data/facts.ts'
import styles from '../databases.module.css'
import { ListPlaceholder } from '../ListPlaceholder.tsx'
import { ListProblem } from '../ListProblem.tsx'
import { useDatabaseFacts } from '../useDatabaseFacts.ts'
import { useDatabaseList } from '../useDatabaseList.ts'
import { DatabasePage } from './DatabasePage.tsx'

/** Page of the database in scope, from the server's list and the database's own responses. */
export default function DatabasePanel({ panel }: PanelProps): ReactNode {
  const { name } = useDatabaseScope()
  const list = useDatabaseList()
  const facts = useDatabaseFacts()
  if (name === null) return null
  const newerMs = facts.statesAtMs === null ? null : facts.statesAtMs - list.dataUpdatedAt
  const rows = list.data === undefined ? [] : joinFacts(list.data.rows, facts.byName, list.data.loadingMs, newerMs)
  const row = rows.find((each) => databaseKey(each.name) === databaseKey(name)) ?? null
  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel)}>
      <ListProblem list={list} />
      {list.data === undefined ? (
        <ListPlaceholder list={list} filter="" />
      ) : (
        <DatabasePage key={databaseKey(name)} name={row?.name ?? name} row={row} />
      )}
    </PanelFrame>
  )
}
