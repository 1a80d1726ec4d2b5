import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { ServerTime } from '../../../../capture/frame/ServerTime.tsx'

interface NewestNoticeProps {
  /** Newest version on the server; null: unknown. */
  readonly newest: { readonly changeVector: string | null; readonly modified: string } | null
  /** Version that is shown; null: none was read. */
  readonly known: { readonly changeVector: string; readonly modified: string } | null
  readonly isChanged: boolean
  readonly onTake: () => void
  readonly onCreateAgain: () => void
}

/** Notice that another client has changed or deleted the document that is shown. */
export function NewestNotice({ newest, known, isChanged, onTake, onCreateAgain }: NewestNoticeProps): ReactNode {
  if (newest === null || known === null || newest.changeVector === known.changeVector) return null
  // The reading is older than the last save.
  if (newest.changeVector !== null && newest.modified < known.modified) return null
  if (newest.changeVector === null)
    return (
      <Notice
        tone="warn"
        title="This document was deleted."
        actions={<Button onClick={onCreateAgain}>Create it again</Button>}
      >
        <p>{isChanged ? 'What you typed is kept, and not saved.' : 'Its text is still here.'}</p>
      </Notice>
    )
  return (
    <Notice
      tone="warn"
      title="This document was changed since it was read."
      actions={<Button onClick={onTake}>{isChanged ? 'Compare' : 'Show the change'}</Button>}
    >
      <p>
        By another client, <ServerTime at={newest.modified} />
      </p>
    </Notice>
  )
}
