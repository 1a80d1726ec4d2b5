import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { Diff } from '../../../../ui/editor/Editor.tsx'

interface SaveDialogProps {
  readonly id: string
  readonly before: string
  readonly after: string
  readonly isNew: boolean
  readonly isSaving: boolean
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Shows the changes that a save sends, as raw text: nothing else leaves the page. */
export const SaveDialog = ({ id, before, after, isNew, isSaving, onSave, onClose }: SaveDialogProps): ReactNode => (
  <Dialog
    title={isNew ? `Create “${id}”` : `Save “${id}”`}
    wide
    onClose={onClose}
    onSubmit={onSave}
    actions={
      <>
        <Button onClick={onClose}>Cancel</Button>
        <Button tone="primary" submits disabled={isSaving}>
          {isNew ? 'Create' : 'Save'}
        </Button>
      </>
    }
  >
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
