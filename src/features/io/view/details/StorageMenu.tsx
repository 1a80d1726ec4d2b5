import type { ReactNode } from 'react'
import { TargetMenu } from '../../../../actions/view/TargetMenu.tsx'
import { parseSourceId, type SourceId } from '../../../../capture/client/state.ts'

const ON_DOCUMENTS = ['database.flush', 'database.sync']

interface StorageMenuProps {
  readonly source: SourceId
  /** Type of the environment. */
  readonly type: string
  /** Real name of the index; null: not an index, or only its folder is known, which actions cannot use. */
  readonly index: string | null
  /** Text beside the icon; left out: icon only. */
  readonly text?: string
}

/** Menu of actions on a storage environment of a database. Empty for other environments, and for those of a file. */
export function StorageMenu({ source, type, index, text }: StorageMenuProps): ReactNode {
  const ref = parseSourceId(source)
  if (ref?.kind !== 'database') return null
  const { name: database } = ref
  const shown = text === undefined ? {} : { text }
  if (type === 'Index')
    return index === null ? null : <TargetMenu target={{ kind: 'index', database, name: index }} {...shown} />
  if (type !== 'Documents') return null
  return <TargetMenu target={{ kind: 'database', database, name: null }} only={ON_DOCUMENTS} {...shown} />
}
