import { useState, type ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { RevisionsPart } from '../parts/RevisionsPart.tsx'

interface MissingProps {
  readonly database: string
  readonly id: string
  readonly onList: () => void
  readonly onOpen: (id: string) => void
  /** Puts the text of a revision into the editor. */
  readonly onTake: (text: string) => void
}

/** Notice that there is no document with an id. Lists the revisions of a deleted document, if the server keeps them. */
export function Missing({ database, id, onList, onOpen, onTake }: MissingProps): ReactNode {
  const [showsRevisions, setShowsRevisions] = useState(false)
  const trimmed = id.trim()
  const buttons = (
    <>
      {trimmed === id || trimmed === '' ? null : (
        <Button onClick={() => onOpen(trimmed)}>{`Open “${trimmed}” without spaces around it`}</Button>
      )}
      <Button onClick={onList}>List</Button>
      <Button aria-expanded={showsRevisions} onClick={() => setShowsRevisions(!showsRevisions)}>
        Revisions
      </Button>
    </>
  )
  if (!showsRevisions)
    return (
      <EmptyState title="There is no document of this id" actions={buttons}>
        <bdi>{id}</bdi> does not exist in “{database}”, or was deleted. One that was deleted can be created again from a
        revision, if the server keeps them.
      </EmptyState>
    )
  return (
    <>
      <div className="row">
        <h2>
          <bdi>{id}</bdi> does not exist
        </h2>
        <span className="push" />
        {buttons}
      </div>
      <RevisionsPart database={database} opened={{ id, changeVector: '', text: '' }} onRevert={onTake} />
    </>
  )
}
