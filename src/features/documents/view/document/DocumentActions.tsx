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
import { cloneId } from './new-text.ts'

interface DocumentActionsProps {
  readonly database: string
  readonly opened: OpenedDocument | null
  readonly text: string
  readonly isChanged: boolean
  /** Reason why the document cannot be saved; null if it can. */
  readonly saveRefusal: string | null
  /** Reason why no document of the database can be saved now; null if some can. */
  readonly refusal: string | null
  readonly onSave: () => void
  readonly onDiscard: () => void
  /** Indents the typed text; null: there is nothing to indent. */
  readonly onFormat: (() => void) | null
}

export function DocumentActions(props: DocumentActionsProps): ReactNode {
  const { database, opened, text, isChanged, saveRefusal, refusal, onSave, onDiscard, onFormat } = props
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
      newId: cloneId(id),
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
      {onFormat === null ? null : (
        <Button title="White space only: every value stays as it is typed" onClick={onFormat}>
          Format
        </Button>
      )}
      {opened === null ? null : (
        <>
          <Button
            disabled={refusal !== null || hasNew}
            title={
              refusal ??
              (hasNew
                ? 'There is a draft of a new document: save or discard it first.'
                : 'A new document with this text. Attachments, counters and time series are not copied.')
            }
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
            small={false}
          />
        </>
      )}
    </>
  )
}
