import type { ReactNode } from 'react'
import { useServerKey } from '../../../../actions/client/use-server-key.ts'
import { ActionButton } from '../../../../actions/view/ActionButton.tsx'
import { exactBytes } from '../../../../base/text/exact-text.ts'
import { placeKey } from '../../../../capture/client/drafts/draft.ts'
import { draftStore, useDrafts } from '../../../../capture/client/drafts/useDrafts.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { exportFileName } from '../../../../capture/exporting/file-name.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { OpenedDocument } from '../../contract.ts'
import { saveBytes } from '../save-bytes.ts'
import { useOpen } from '../useOpen.ts'

interface DocumentActionsProps {
  readonly database: string
  readonly opened: OpenedDocument | null
  readonly text: string
  readonly isChanged: boolean
  /** Reason why it cannot be saved; null where it can. */
  readonly saveRefusal: string | null
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** Beginning of an id up to the last slash or dash: the part that clones share. */
const beginningOf = (id: string): string => /^.*[/-]/.exec(id)?.[0] ?? `${id}/`

export function DocumentActions(props: DocumentActionsProps): ReactNode {
  const { database, opened, text, isChanged, saveRefusal, onSave, onDiscard } = props
  const { go } = useOpen()
  const server = useServerKey()
  const { attempt, failure } = useAttempt()
  const { all } = useDrafts()
  const place = { kind: 'document', server, database, id: '' } as const
  const hasNew = all?.some((each) => placeKey(each) === placeKey(place)) ?? true
  const clone = (id: string): void => {
    draftStore.keep({
      ...place,
      base: '',
      baseText: '',
      text,
      newId: beginningOf(id),
      changedMs: Date.now(),
    })
    go({ id: null, isNew: true, part: 'text' })
  }
  return (
    <>
      <Button tone="primary" disabled={saveRefusal !== null} title={saveRefusal ?? undefined} onClick={onSave}>
        Save …
      </Button>
      {isChanged ? <Button onClick={onDiscard}>Discard changes</Button> : null}
      {opened === null ? null : (
        <>
          <Button
            disabled={hasNew}
            title={hasNew ? 'There is a draft of a new document: save or discard it first.' : undefined}
            onClick={() => clone(opened.id)}
          >
            Clone
          </Button>
          <Button
            icon="export"
            onClick={() =>
              void attempt('Not downloaded', () =>
                saveBytes(
                  exactBytes(text),
                  exportFileName({ what: 'document', of: opened.id, at: null, extension: 'json' }),
                  'application/json',
                ),
              )
            }
          >
            Download
          </Button>
          <AttemptFailure of={failure} />
          <ActionButton
            action="document.delete"
            target={{ kind: 'document', database, name: opened.id }}
            inputs={{ expected: opened.changeVector }}
          />
        </>
      )}
    </>
  )
}
