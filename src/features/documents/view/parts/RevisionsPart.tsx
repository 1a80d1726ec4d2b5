import { useEffect, useRef, useState, type ReactNode } from 'react'
import { compareNames } from '../../../../base/text/compare-names.ts'
import { formatCount, formatDateTime, formatPlural } from '../../../../base/text/format.ts'
import { parseTicks } from '../../../../base/ticks.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Diff } from '../../../../ui/editor/Editor.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { RevisionInfo } from '../../contract.ts'
import styles from '../documents.module.css'
import { ServerTime } from '../../../../capture/frame/ServerTime.tsx'

const PAGE = 50

const TIME: RowColumn<RevisionInfo> = {
  title: 'Time',
  cell: ({ modified }) => <ServerTime at={modified} />,
  compare: (a, b) => compareNames(a.modified, b.modified),
}
const FLAGS: RowColumn<RevisionInfo> = {
  title: 'Flags',
  cell: ({ flags }) => flags.join(', '),
  compare: (a, b) => compareNames(a.flags.join(' '), b.flags.join(' ')),
}
const VERSION: RowColumn<RevisionInfo> = {
  title: 'Change vector',
  cell: ({ changeVector }) => <code className={styles.unbroken}>{changeVector}</code>,
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

/** Column with buttons that show the changes of a revision; the oldest revision of all has no predecessor. */
const changesOf = (
  revisions: readonly RevisionInfo[],
  compare: (older: string, newer: string) => void,
): RowColumn<RevisionInfo> => ({
  title: 'Against the one before',
  cell: ({ changeVector }) => {
    const older = revisions[revisions.findIndex((each) => each.changeVector === changeVector) + 1]
    return older === undefined ? null : (
      <Button small aria-label={`Changes of ${changeVector}`} onClick={() => compare(older.changeVector, changeVector)}>
        Changes
      </Button>
    )
  },
})

/** Document whose revisions are read. */
export interface Revised {
  readonly id: string
  /** Change vector; empty: the document no longer exists. */
  readonly changeVector: string
  readonly text: string
}

interface RevisionsPartProps {
  readonly database: string
  readonly opened: Revised
  readonly onRevert: (text: string) => void
}

/** Revisions of a document: compares any two, and can put one into the editor. */
export function RevisionsPart({ database, opened, onRevert }: RevisionsPartProps): ReactNode {
  const { clock } = useView().view
  const dateTime = (at: string): string => formatDateTime(parseTicks(at), clock, 0)
  const [start, setStart] = useState(0)
  const [left, setLeft] = useState<string | null>(null)
  const [right, setRight] = useState<string | null>(null)
  const { response, error } = useRequest(
    'documents.revisions',
    // Another one, against which the last of the page is compared.
    { database, id: opened.id, start, pageSize: PAGE + 1 },
    { version: opened.changeVector, everyMs: 1000, changedEveryMs: 0 },
  )
  if (response === null) return error === null ? <Spinner>Reading revisions …</Spinner> : <ErrorNotice error={error} />
  if (response.total === 0)
    return (
      <EmptyState title="No revisions">
        The server keeps revisions of collections for which they are configured.
      </EmptyState>
    )
  const { revisions: read } = response
  const revisions = read.slice(0, PAGE)
  const nameOf = (changeVector: string | null): string => {
    if (changeVector === null) return opened.changeVector === '' ? 'Deleted' : 'The document as it is'
    const found = read.find((each) => each.changeVector === changeVector)
    return found === undefined ? changeVector : `${dateTime(found.modified)} · ${changeVector}`
  }
  const changes = changesOf(read, (older, newer) => {
    setLeft(older)
    setRight(newer)
  })
  return (
    <div className={cx('stack', styles.part)}>
      <p className="faint">{formatPlural(response.total, 'revision')}, newest first. Compare any two.</p>
      <SideScrollBox label="Table of revisions" className="raised">
        <RowTable<RevisionInfo>
          label="Revisions"
          rows={revisions}
          keyOf={({ changeVector }) => changeVector}
          columns={[
            response.total <= PAGE ? TIME : { ...TIME, compare: undefined },
            changes,
            radioOf('Before', left, setLeft),
            radioOf('After', right, setRight),
            response.total <= PAGE ? FLAGS : { ...FLAGS, compare: undefined },
            VERSION,
          ]}
        />
      </SideScrollBox>
      {response.total <= PAGE ? null : (
        <div className="row">
          <Button small disabled={start === 0} onClick={() => setStart(Math.max(0, start - PAGE))}>
            Newer
          </Button>
          <span className="faint">
            {formatCount(start + 1)} to {formatCount(start + revisions.length)}
          </span>
          <Button small disabled={start + PAGE >= response.total} onClick={() => setStart(start + PAGE)}>
            Older
          </Button>
        </div>
      )}
      {left === null && right === null ? null : (
        <Compared database={database} opened={opened} left={left} right={right} onRevert={onRevert} nameOf={nameOf} />
      )}
    </div>
  )
}

interface ComparedProps extends RevisionsPartProps {
  /** Change vectors of the compared revisions; null: the current document. */
  readonly left: string | null
  readonly right: string | null
  readonly nameOf: (changeVector: string | null) => string
}

function Compared({ database, opened, left, right, onRevert, nameOf }: ComparedProps): ReactNode {
  const ref = useRef<HTMLDivElement>(null)
  const before = useRevision(database, opened, left)
  const after = useRevision(database, opened, right)
  const isRead = before.text !== undefined && after.text !== undefined
  useEffect(() => {
    if (isRead) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isRead])
  const error = before.error ?? after.error
  if (error !== null) return <ErrorNotice error={error} />
  if (before.text === undefined || after.text === undefined) return <Spinner>Reading revisions …</Spinner>
  if (before.text === null || after.text === null)
    return <p role="status">The server does not keep that revision any more.</p>
  const { text } = left === null ? after : before
  return (
    <div ref={ref} className={cx('stack', styles.shown)}>
      <Diff
        label="Revisions"
        beforeName={nameOf(left)}
        afterName={nameOf(right)}
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
    </div>
  )
}

/** Reads a revision. `text` undefined: being read; null: it no longer exists. */
function useRevision(database: string, opened: Revised, changeVector: string | null) {
  const { response, error, params, isCurrent } = useRequest(
    'documents.revision',
    changeVector === null ? undefined : { database, changeVector },
    { version: 0, everyMs: 0 },
  )
  if (changeVector === null) return { text: opened.text, error: null }
  const isRead = isCurrent && params !== null
  return { text: isRead ? (response?.text ?? null) : undefined, error }
}
