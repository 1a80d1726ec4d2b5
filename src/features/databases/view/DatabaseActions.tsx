import type { ReactNode } from 'react'
import { databaseFactsOf } from '../../../actions/client/use-databases.ts'
import type { ActionFacts } from '../../../actions/model.ts'
import { ActionMenu } from '../../../actions/view/ActionMenu.tsx'
import { SelectionMenu } from '../../../actions/view/SelectionMenu.tsx'
import type { ListedDatabase } from '../data/facts.ts'

export const factsOf = (row: ListedDatabase): ActionFacts => ({
  ...databaseFactsOf(row),
  ...(row.facts == null || row.facts.volumeFreeBytes === null ? {} : { volumeFreeBytes: row.facts.volumeFreeBytes }),
})

interface DatabaseActionsProps {
  readonly row: ListedDatabase
  /** Text of the button; null: only an icon. */
  readonly text?: string | null
}

/** Menu of the actions on a database. A shard is managed by its parent's name, which the list does not have. */
export const DatabaseActions = ({ row, text = null }: DatabaseActionsProps): ReactNode =>
  row.isSharded ? null : (
    <ActionMenu target={{ kind: 'database', database: row.name, name: null }} facts={factsOf(row)} text={text} />
  )

/** Actions on several databases, without those with a file of this computer, or for a single environment. */
const ON_SEVERAL = [
  'database.enable',
  'database.disable',
  'database.restart',
  'database.load',
  'database.lock',
  'database.backup',
  'database.compact',
  'database.delete',
]

interface DatabasesMenuProps {
  readonly rows: readonly ListedDatabase[]
}

/** Menu of the actions on several databases. Renders nothing if none is selected. */
export const DatabasesMenu = ({ rows }: DatabasesMenuProps): ReactNode => (
  <SelectionMenu
    only={ON_SEVERAL}
    targets={rows
      .filter(({ isSharded }) => !isSharded)
      .map((row) => ({
        target: { kind: 'database', database: row.name, name: null },
        facts: factsOf(row),
      }))}
  />
)
