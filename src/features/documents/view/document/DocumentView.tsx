import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useServerKey } from '../../../../actions/client/use-server-key.ts'
import { CaptureError } from '../../../../capture/client/client.ts'
import type { DraftPlace } from '../../../../capture/client/drafts/draft.ts'
import { draftStore, useDrafts } from '../../../../capture/client/drafts/useDrafts.ts'
import type { ErrorInfo } from '../../../../capture/client/state.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { LoadDatabase } from '../../../../capture/frame/notices/LoadDatabase.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import type { OpenedDocument } from '../../contract.ts'
import { openDocument, useOpen } from '../useOpen.ts'
import { DocumentEditor } from './DocumentEditor.tsx'
import { Missing } from './Missing.tsx'
import { newText } from './new-text.ts'

interface Read {
  /** The document; null: there is none with that id, or the request failed. */
  readonly found: OpenedDocument | null
  readonly error: ErrorInfo | null
}

interface DocumentViewProps {
  readonly database: string
  /** Id of the document; null for a new document. */
  readonly id: string | null
}

/** Shows a document: reads it once and restores its draft, even if the server is unreachable. */
export function DocumentView({ database, id }: DocumentViewProps): ReactNode {
  const capture = useCapture()
  const server = useServerKey()
  const { settings, go } = useOpen()
  const { all, chosen } = useDrafts()
  const [read, setRead] = useState<Read | null>(id === null ? { found: null, error: null } : null)

  const reload = useCallback((): void => {
    if (id === null) return
    capture.request('documents.open', { database, id, isFresh: true }).then(
      (found) => setRead({ found, error: null }),
      (error: unknown) => setRead({ found: null, error: error instanceof CaptureError ? error.info : null }),
    )
  }, [capture, database, id])
  useEffect(reload, [reload])

  const place: DraftPlace = { kind: 'document', server, database, id: id ?? '' }
  // Depends on `all`, so that the compiled component looks it up again once drafts are read.
  const draft = all === null ? null : draftStore.of(place)
  if (read === null || all === null) return <Spinner>Reading the document …</Spinner>
  const { found, error } = read
  const again =
    error?.kind === 'database-unloaded' ? (
      <LoadDatabase database={database} onLoaded={reload} />
    ) : (
      <Button icon="reload" onClick={reload}>
        Try again
      </Button>
    )
  if (id !== null && found === null && draft === null)
    return error === null ? (
      <Missing
        database={database}
        id={id}
        onOpen={(other) => go(openDocument(other))}
        onList={() => go({ id: null, isNew: false })}
        onTake={(text) => draftStore.keep({ ...place, base: '', baseText: '', text, changedMs: Date.now() })}
      />
    ) : (
      <ErrorNotice error={error} actions={again} />
    )
  const base =
    found === null
      ? { version: '', text: id === null ? newText(settings.collection) : '' }
      : { version: found.changeVector, text: found.text }
  return (
    <>
      {/* The editor has a notice of its own that its database is gone. */}
      {error === null || error.kind === 'database-missing' ? null : (
        <ErrorNotice error={error} tone="warn" actions={again} />
      )}
      <DocumentEditor
        // Another server behind the same address has its own drafts.
        key={`${found === null ? 'unread' : 'read'} ${server} ${String(chosen)}`}
        place={place}
        read={base}
        opened={found}
        isReachable={error === null}
        isDeleted={id !== null && found === null && error === null && draft !== null && draft.base !== ''}
        draft={draft}
      />
    </>
  )
}
