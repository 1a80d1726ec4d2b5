import type { ReactNode } from 'react'
import { TargetMenu } from '../../../../actions/view/TargetMenu.tsx'
import { parseSourceId } from '../../../../capture/client/state.ts'
import { StorageMenu } from '../details/StorageMenu.tsx'
import type { LayoutRow } from './layout.ts'

/** Menu of actions on the environment of a lane, or on the database of a source row; kinds and files have no menu. */
export function RowMenu({ row: { type, source, lane } }: { readonly row: LayoutRow }): ReactNode {
  if (type === 'source') {
    const ref = parseSourceId(source)
    return ref?.kind === 'database' ? (
      <TargetMenu target={{ kind: 'database', database: ref.name, name: null }} />
    ) : null
  }
  if (type !== 'lane' || lane === null) return null
  return <StorageMenu source={source} type={lane.type} index={lane.labelIsReal ? lane.label : null} />
}
