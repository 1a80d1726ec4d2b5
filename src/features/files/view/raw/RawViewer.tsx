import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { formatBytes, formatCount } from '../../../../base/text/format.ts'
import type { RawRef, RawStatus } from '../../../../capture/raw/queries.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CommitField } from '../../../../ui/controls/CommitField.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import type { FilesSettings } from '../params.ts'
import type { Place } from './place.ts'
import { RawSearch } from './RawSearch.tsx'
import { TextView } from './TextView.tsx'
import { TreeView } from './TreeView.tsx'
import { useRawStatus } from './useRaw.ts'
import { lazyPanel } from '../../../../ui/lazyPanel.tsx'
import styles from './viewer.module.css'
import type { RecordList } from '../table/lists.ts'
import { useRecordLists } from '../table/useRecords.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const LogView = lazyPanel(() => import('../log/LogView.tsx'))
const RecordTable = lazyPanel(() => import('../table/RecordTable.tsx'))

interface RawViewerProps {
  readonly document: RawRef
  readonly label: string
  readonly settings: FilesSettings
  readonly onSettings: (parts: Partial<FilesSettings>) => void
}

/**
 * Shows any document as text and, if it is JSON, as a tree. Reads only what is in view, so that any size works. Lists
 * of objects can be shown as tables, and logs as lines with levels.
 */
export function RawViewer({ document, label, settings, onSettings }: RawViewerProps): ReactNode {
  const capture = useCapture()
  const { status, error } = useRawStatus(document)
  const { failure, attempt } = useAttempt()
  // Lists are searched when everything is read, since a later one is unknown until then.
  const isRead = status !== null && isEnded(status)
  const lists = useRecordLists(document, isRead && isJsonOf(status))
  const isSearching = !isRead || (lists === null && isJsonOf(status))
  const { at, find } = settings
  const [place, setPlace] = useState<Place | null>(at === null ? null : { at, end: at })
  // A link, or a message about a byte, may jump within the open document.
  const [known, setKnown] = useState(at)
  if (at !== known) {
    setKnown(at)
    if (at !== null && at !== place?.at) setPlace({ at, end: at })
  }

  const go = (next: Place, parts: Partial<FilesSettings> = {}): void => {
    setPlace(next)
    onSettings({ at: next.at, ...parts })
  }

  if (error !== null)
    return (
      <Notice tone="error" title={`${label} cannot be read.`}>
        <p>{error instanceof Error ? error.message : 'unknown error'}</p>
      </Notice>
    )
  if (status === null)
    return (
      <EmptyState title={label}>
        <Spinner>Opening it</Spinner>
      </EmptyState>
    )

  const isJson = isJsonOf(status)
  const isReading = !isEnded(status)
  const isLog = /\.log$/i.test(label)
  const isListed = lists !== null && lists.length > 0
  const as = settings.as ?? (isLog ? 'log' : isJson ? 'tree' : 'text')
  // A link may name a view that this document does not have.
  const shown =
    (as === 'log' && !isLog) || (as === 'table' && !isListed && !isSearching) ? (isJson ? 'tree' : 'text') : as
  return (
    <section className={cx('column', styles.viewer)} aria-label={`Contents of ${label}`}>
      <div className={cx('row', styles.tools)}>
        <Segmented
          label="Shown as"
          options={[
            ...(isLog ? [{ value: 'log' as const, text: 'Log' }] : []),
            { value: 'tree', text: 'Tree' },
            ...(isListed ? [{ value: 'table' as const, text: 'Table' }] : []),
            { value: 'text', text: 'Text' },
          ]}
          value={shown}
          onChange={(next) => onSettings({ as: next })}
        />
        {shown === 'table' || shown === 'log' ? null : (
          <RawSearch
            document={document}
            find={find}
            from={place?.at ?? 0}
            onFind={(text) => onSettings({ find: text })}
            onHit={(hit) => go({ at: hit.at, end: hit.end })}
          />
        )}
        {shown === 'table' ? null : <GoToByte status={status} onByte={(byte) => go({ at: byte, end: byte + 1 })} />}
        <span className={cx('push', styles.push)} />
        <Reach status={status} />
        {isReading ? (
          <Button small onClick={() => void attempt('Could not stop', () => capture.request('raw.stop', document))}>
            Stop
          </Button>
        ) : null}
        <AttemptFailure of={failure} />
      </div>
      <Wrongs status={status} onByte={(byte) => go({ at: byte, end: byte + 1 }, { as: 'text' })} />
      <Suspense fallback={<Spinner>Loading</Spinner>}>
        <Contents
          document={document}
          label={label}
          status={status}
          shown={shown}
          find={find}
          place={place}
          lists={lists}
          onSettings={onSettings}
          onGo={go}
        />
      </Suspense>
    </section>
  )
}

interface ContentsProps extends Pick<RawViewerProps, 'document' | 'label' | 'onSettings'> {
  readonly status: RawStatus
  readonly shown: NonNullable<FilesSettings['as']>
  readonly find: string
  readonly place: Place | null
  readonly lists: readonly RecordList[] | null
  readonly onGo: (place: Place, parts?: Partial<FilesSettings>) => void
}

/** The document in the chosen view. */
function Contents({ shown, lists, onSettings, onGo, ...rest }: ContentsProps): ReactNode {
  const { document, label, status, find } = rest
  const onFind = (text: string): void => onSettings({ find: text })
  const goTo = (byte: number, parts: Partial<FilesSettings>): void => onGo({ at: byte, end: byte + 1 }, parts)
  if (shown === 'text') return <TextView {...rest} />
  if (shown === 'log')
    return <LogView.Component {...rest} onFind={onFind} onPlace={(place, text) => onGo(place, { find: text })} />
  if (shown === 'table')
    return lists === null || lists.length === 0 ? (
      <EmptyState title={label}>
        <Spinner>Looking for lists</Spinner>
      </EmptyState>
    ) : (
      <RecordTable.Component
        document={document}
        label={label}
        lists={lists}
        filter={find}
        onFilter={onFind}
        onTree={(byte) => goTo(byte, { as: 'tree', find: '' })}
      />
    )
  if (isJsonOf(status)) return <TreeView {...rest} onText={(byte) => goTo(byte, { as: 'text' })} />
  return (
    <EmptyState
      title={status.readBytes === 0 && !isEnded(status) ? 'Opening it' : 'This is no JSON'}
      actions={<Button onClick={() => onSettings({ as: 'text' })}>Show it as text</Button>}
    >
      {status.notJson?.message ?? (status.isWhole ? 'There is nothing in it.' : '')}
    </EmptyState>
  )
}

const isEnded = ({ isWhole, isStopped, error }: RawStatus): boolean => isWhole || isStopped || error !== null

const isJsonOf = ({ roots, notJson }: RawStatus): boolean => roots > 0 && (notJson === null || notJson.at > 0)

/** Field to jump to a byte of the document. */
function GoToByte({ status, onByte }: WrongsProps): ReactNode {
  return (
    <div className={styles.goTo}>
      <CommitField
        label="Go to byte"
        hideLabel
        placeholder="Go to byte"
        value=""
        onCommit={(text) => {
          const byte = Number(text.replaceAll(/[,\s]/g, ''))
          if (!Number.isInteger(byte) || byte < 0) return 'A byte is a whole number, from 0.'
          if (status.totalBytes !== null && byte >= Math.max(1, status.totalBytes))
            return `It has ${formatCount(status.totalBytes)} bytes.`
          onByte(byte)
          return null
        }}
      />
    </div>
  )
}

/** How much of the document is known. */
function Reach({ status }: { readonly status: RawStatus }): ReactNode {
  const { isWhole, isStopped, readBytes, totalBytes, rows } = status
  if (isWhole)
    return (
      <span className={styles.faint} role="status">
        {formatBytes(readBytes)}, {formatCount(rows)} rows
      </span>
    )
  const words = `${formatBytes(readBytes)}${totalBytes === null ? '' : ` of ${formatBytes(totalBytes)}`}`
  return (
    <span className={cx('inline', styles.reach)}>
      {isStopped || status.error !== null ? null : (
        <progress
          aria-label="Searching"
          max={1}
          value={totalBytes === null || totalBytes === 0 ? undefined : readBytes / totalBytes}
        />
      )}
      <span className={styles.faint}>
        {isStopped ? 'stopped after ' : ''}
        {words}
      </span>
    </span>
  )
}

interface WrongsProps {
  readonly status: RawStatus
  readonly onByte: (byte: number) => void
}

/** Errors of the document, with a link to the byte where they begin. */
function Wrongs({ status, onByte }: WrongsProps): ReactNode {
  const { error, notJson } = status
  // A document that is not JSON from its first byte is simply a text.
  const broken = notJson === null || status.roots === 0 || notJson.at === 0 ? null : notJson
  return (
    <>
      {error === null ? null : <ErrorNotice error={error} tone="warn" />}
      {broken === null || error !== null ? null : (
        <Notice
          tone="warn"
          title="It stops being JSON in the middle; the tree shows what comes before"
          actions={
            <Button small onClick={() => onByte(broken.at)}>
              Show the byte
            </Button>
          }
        >
          <p>{broken.message}</p>
        </Notice>
      )}
    </>
  )
}
