import type { ReactNode } from 'react'
import { useState } from 'react'
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
import styles from './viewer.module.css'
import { cx } from '../../../../ui/theme/cx.ts'

interface RawViewerProps {
  readonly document: RawRef
  readonly label: string
  readonly settings: FilesSettings
  readonly onSettings: (parts: Partial<FilesSettings>) => void
}

/** Shows any document as text and, where it is JSON, as a tree; of any size, since only what is in sight is read. */
export function RawViewer({ document, label, settings, onSettings }: RawViewerProps): ReactNode {
  const capture = useCapture()
  const { status, error } = useRawStatus(document)
  const { failure, attempt } = useAttempt()
  const { at, find } = settings
  const [place, setPlace] = useState<Place | null>(at === null ? null : { at, end: at })
  // A link, or a message about a byte, may send one elsewhere in the document that is open.
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

  const isJson = status.roots > 0 && (status.notJson === null || status.notJson.at > 0)
  const as = settings.as ?? (isJson ? 'tree' : 'text')
  const isReading = !status.isWhole && !status.isStopped && status.error === null
  return (
    <section className={cx('column', styles.viewer)} aria-label={`Contents of ${label}`}>
      <div className={cx('row', styles.tools)}>
        <Segmented
          label="Shown as"
          options={[
            { value: 'tree', text: 'Tree' },
            { value: 'text', text: 'Text' },
          ]}
          value={as}
          onChange={(next) => onSettings({ as: next })}
        />
        <RawSearch
          document={document}
          find={find}
          from={place?.at ?? 0}
          onFind={(text) => onSettings({ find: text })}
          onHit={(hit) => go({ at: hit.at, end: hit.end })}
        />
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
              go({ at: byte, end: byte + 1 })
              return null
            }}
          />
        </div>
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
      {as === 'text' ? (
        <TextView document={document} label={label} status={status} find={find} place={place} />
      ) : isJson ? (
        <TreeView
          document={document}
          label={label}
          status={status}
          find={find}
          place={place}
          onText={(byte) => go({ at: byte, end: byte + 1 }, { as: 'text' })}
        />
      ) : (
        <EmptyState
          title={status.readBytes === 0 && isReading ? 'Opening it' : 'This is no JSON'}
          actions={<Button onClick={() => onSettings({ as: 'text' })}>Show it as text</Button>}
        >
          {status.notJson?.message ?? (status.isWhole ? 'There is nothing in it.' : '')}
        </EmptyState>
      )}
    </section>
  )
}

/** How much of it is known. */
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

/** Errors of the document, and the way to the byte where they begin. */
function Wrongs({ status, onByte }: WrongsProps): ReactNode {
  const { error, notJson } = status
  // A document that begins like no JSON at all is simply a text.
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
