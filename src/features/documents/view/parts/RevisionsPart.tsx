import { useState, type ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Diff } from '../../../../ui/editor/Editor.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { OpenedDocument, RevisionInfo } from '../../contract.ts'
import styles from '../documents.module.css'
import { ServerTime } from '../../../../capture/frame/ServerTime.tsx'

const PAGE = 50

const TIME: RowColumn<RevisionInfo> = { title: 'Time', cell: ({ modified }) => <ServerTime at={modified} /> }
const FLAGS: RowColumn<RevisionInfo> = { title: 'Flags', cell: ({ flags }) => flags.join(', ') }
const VERSION: RowColumn<RevisionInfo> = {
  title: 'Change vector',
  cell: ({ changeVector }) => <code className={styles.name}>{changeVector}</code>,
}

const radioOf = (
  title: string,
  chosen: string | null,
  choose: (changeVector: string) => void,
): RowColumn<RevisionInfo> => ({
  title,
  cell: ({ changeVector }) => (
    <input
      type="radio"
      name={title}
      aria-label={`${title}: ${changeVector}`}
      checked={chosen === changeVector}
      onChange={() => choose(changeVector)}
    />
  ),
})

interface RevisionsPartProps {
  readonly database: string
  readonly opened: OpenedDocument
  readonly onRevert: (text: string) => void
}

/** Revisions of a document: any two side by side, and one as the text to be saved. */
export function RevisionsPart({ database, opened, onRevert }: RevisionsPartProps): ReactNode {
  const [start, setStart] = useState(0)
  const [left, setLeft] = useState<string | null>(null)
  const [right, setRight] = useState<string | null>(null)
  const { response, error } = useRequest(
    'documents.revisions',
    { database, id: opened.id, start, pageSize: PAGE },
    { version: opened.changeVector, everyMs: 1000, changedEveryMs: 0 },
  )
  if (response === null) return error === null ? <Spinner>Reading revisions …</Spinner> : <ErrorNotice error={error} />
  if (response.total === 0)
    return (
      <EmptyState title="No revisions">
        The server keeps revisions of collections for which they are configured.
      </EmptyState>
    )
  return (
    <div className={cx('stack', styles.part)}>
      <p className="faint">{formatPlural(response.total, 'revision')}, newest first. Choose two to compare.</p>
      <RowTable<RevisionInfo>
        label="Revisions"
        rows={response.revisions}
        keyOf={({ changeVector }) => changeVector}
        columns={[TIME, radioOf('Before', left, setLeft), radioOf('After', right, setRight), FLAGS, VERSION]}
      />
      {response.total <= PAGE ? null : (
        <div className="row">
          <Button small disabled={start === 0} onClick={() => setStart(Math.max(0, start - PAGE))}>
            Newer
          </Button>
          <span className="faint">
            {formatCount(start + 1)} to {formatCount(start + response.revisions.length)}
          </span>
          <Button small disabled={start + PAGE >= response.total} onClick={() => setStart(start + PAGE)}>
            Older
          </Button>
        </div>
      )}
      {left === null && right === null ? null : (
        <Compared database={database} opened={opened} left={left} right={right} onRevert={onRevert} />
      )}
    </div>
  )
}

interface ComparedProps extends RevisionsPartProps {
  /** Change vectors; null: the document as it is. */
  readonly left: string | null
  readonly right: string | null
}

function Compared({ database, opened, left, right, onRevert }: ComparedProps): ReactNode {
  const before = useRevision(database, opened, left)
  const after = useRevision(database, opened, right)
  const error = before.error ?? after.error
  if (error !== null) return <ErrorNotice error={error} />
  if (before.text === undefined || after.text === undefined) return <Spinner>Reading revisions …</Spinner>
  if (before.text === null || after.text === null)
    return <p role="status">The server does not keep that revision any more.</p>
  const { text } = left === null ? after : before
  return (
    <>
      <Diff
        label="Revisions"
        beforeName={left ?? 'The document as it is'}
        afterName={right ?? 'The document as it is'}
        before={before.text}
        after={after.text}
        language="json"
      />
      <div className="row">
        <Button onClick={() => onRevert(text ?? '')}>Take {left === null ? 'After' : 'Before'} into the editor</Button>
        <span className="note">
          It becomes a draft, and is saved by Save. Attachments, counters and time series stay.
        </span>
      </div>
    </>
  )
}

/** `text` left out: it is being read; null: there is none any more. */
function useRevision(database: string, opened: OpenedDocument, changeVector: string | null) {
  const { response, error, params, isCurrent } = useRequest(
    'documents.revision',
    changeVector === null ? undefined : { database, changeVector },
    { version: 0, everyMs: 0 },
  )
  if (changeVector === null) return { text: opened.text, error: null }
  const isRead = isCurrent && params !== null
  return { text: isRead ? (response?.text ?? null) : undefined, error }
}
