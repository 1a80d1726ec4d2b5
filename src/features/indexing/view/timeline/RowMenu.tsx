import type { ReactNode } from 'react'
import { TargetMenu } from '../../../../actions/view/TargetMenu.tsx'
import { parseSourceId } from '../../../../capture/client/state.ts'
import type { LaneRow } from './layout.ts'

/** Menu of actions on the index of a lane or the database of a row. Empty for files and deleted indexes. */
export function RowMenu({ row: { source, index } }: { readonly row: LaneRow }): ReactNode {
  const ref = parseSourceId(source)
  if (ref?.kind !== 'database' || index?.trouble === 'gone') return null
  const { name: database } = ref
  return index === null ? (
    <TargetMenu target={{ kind: 'database', database, name: null }} />
  ) : (
    <TargetMenu target={{ kind: 'index', database, name: index.name }} />
  )
}
