import type { ReactNode } from 'react'
import { TargetMenu } from '../../../../actions/view/TargetMenu.tsx'
import { parseSourceId } from '../../../../capture/client/state.ts'
import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'

/** Menu of actions on the index of a budget. Empty for an index of a file. */
export function BudgetMenu({ index }: { readonly index: IndexKey }): ReactNode {
  const { source, name } = splitIndexKey(index)
  const ref = parseSourceId(source)
  return ref?.kind === 'database' ? <TargetMenu target={{ kind: 'index', database: ref.name, name }} /> : null
}
