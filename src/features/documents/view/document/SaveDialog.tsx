import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { focusedOnOpening } from '../../../../ui/controls/focused-on-opening.ts'
import { Diff } from '../../../../ui/editor/Editor.tsx'
import { collectionIn, withCollection } from '../../data/collection-in.ts'
import { suggestedCollection } from './new-text.ts'

interface SaveDialogProps {
  readonly id: string
  readonly before: string
  readonly after: string
  readonly isNew: boolean
  readonly isSaving: boolean
  /** Called with the text after a collection was added to its metadata. */
  readonly onCollection: (text: string) => void
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Shows the changes that a save sends, as raw text. Nothing else is sent. */
export function SaveDialog(props: SaveDialogProps): ReactNode {
  const { id, before, after, isNew, isSaving, onCollection, onSave, onClose } = props
  return (
    <Dialog
      title={isNew ? `Create “${id}”` : `Save “${id}”`}
      wide
      onClose={onClose}
      onSubmit={onSave}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button ref={focusedOnOpening} tone="primary" submits disabled={isSaving}>
            {isNew ? 'Create' : 'Save'}
          </Button>
        </>
      }
    >
      {isNew ? <CollectionNote id={id} text={after} onCollection={onCollection} /> : null}
      <Diff
        label="Changes"
        beforeName={isNew ? 'Nothing' : 'As it was read'}
        afterName="To be saved"
        before={before}
        after={after}
        language="json"
      />
    </Dialog>
  )
}

interface CollectionNoteProps {
  readonly id: string
  readonly text: string
  readonly onCollection: (text: string) => void
}

function CollectionNote({ id, text, onCollection }: CollectionNoteProps): ReactNode {
  const collection = collectionIn(text)
  const suggested = suggestedCollection(id)
  const added = suggested === null || collection !== null ? null : withCollection(text, suggested)
  return (
    <div className="row">
      {collection === null ? (
        <p>
          Its metadata name no collection, so it goes into <code>@empty</code>.
        </p>
      ) : (
        <p>
          It goes into the collection <bdi>{collection}</bdi>.
        </p>
      )}
      {added === null ? null : <Button onClick={() => onCollection(added)}>{`Put it into ${suggested ?? ''}`}</Button>}
    </div>
  )
}
