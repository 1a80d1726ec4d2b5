import type { ReactNode } from 'react'
import { formatDuration } from '../../../../base/text/format.ts'
import { spanFromMs } from '../../../../base/ticks.ts'
import type { DraftPlace } from '../../../../capture/client/drafts/draft.ts'
import { DraftNotices } from '../../../../capture/frame/notices/DraftNotices.tsx'
import { LoadDatabase } from '../../../../capture/frame/notices/LoadDatabase.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { useNow } from '../../../../ui/hooks/now.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import type { OpenedDocument } from '../../contract.ts'
import { Conflict } from './Conflict.tsx'
import { NewestNotice } from './NewestNotice.tsx'
import type { Base, Editing } from './useEditing.ts'
import type { Refused } from './useFindings.ts'

interface DocumentNoticesProps {
  readonly place: DraftPlace
  readonly editing: Editing
  /** Document as read; null: a new document, or one that could not be read. */
  readonly known: OpenedDocument | null
  readonly newest: { readonly changeVector: string | null; readonly modified: string } | null
  readonly refused: Refused | null
  /** Version of another client with which the text is compared; null: no comparison. */
  readonly theirs: Base | null
  /** Selects the position that the server refused; null: it named none, or the text has changed since. */
  readonly onShowRefused: (() => void) | null
  /** Called once the database that was not loaded is. */
  readonly onLoaded: () => void
  readonly onTake: () => void
  readonly onCreateAgain: () => void
  readonly onTheirs: (theirs: Base | null) => void
  readonly onResolved: () => void
}

/** Notices above the text: a restored draft, a refused save, a change by another client. */
export function DocumentNotices(props: DocumentNoticesProps): ReactNode {
  const { place, editing, known, newest, refused, theirs } = props
  const { onShowRefused, onLoaded, onTake, onCreateAgain, onTheirs, onResolved } = props
  const nowMs = useNow()
  return (
    <>
      <DraftNotices place={place} />
      {theirs === null ? (
        <NewestNotice
          newest={newest}
          known={known ?? { changeVector: editing.base.version, modified: '' }}
          isChanged={editing.isChanged}
          onTake={onTake}
          onCreateAgain={onCreateAgain}
        />
      ) : null}
      {editing.restoredMs === null || !editing.isChanged ? null : (
        <Notice
          tone="info"
          title={`This is your draft of ${formatDuration(spanFromMs(Math.max(1000, nowMs - editing.restoredMs)))} ago.`}
          actions={<Button onClick={editing.discard}>Discard draft</Button>}
        >
          <p>It is not saved. Saving shows first what it changes.</p>
        </Notice>
      )}
      {refused === null ? null : (
        <Notice
          tone={refused.isUnknown === true ? 'warn' : 'error'}
          title={
            refused.isUnknown === true
              ? 'It is not known whether it was saved; the text is kept.'
              : 'It was not saved; the text is kept.'
          }
          actions={
            refused.isUnloaded === true ? (
              <LoadDatabase database={place.database} onLoaded={onLoaded} />
            ) : onShowRefused === null ? undefined : (
              <Button onClick={onShowRefused}>Show</Button>
            )
          }
        >
          <bdi>{refused.why}</bdi>
        </Notice>
      )}
      {theirs === null ? null : (
        <Conflict
          base={editing.base.text}
          mine={editing.text}
          theirs={theirs}
          onResolve={(text) => {
            editing.rebase(theirs, text)
            onTheirs(null)
            onResolved()
          }}
          onClose={() => onTheirs(null)}
        />
      )}
    </>
  )
}
