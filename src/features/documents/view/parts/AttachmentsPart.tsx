import { useCallback, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { compareNames } from '../../../../base/text/compare-names.ts'
import { formatBytes } from '../../../../base/text/format.ts'
import { exactText } from '../../../../base/text/exact-text.ts'
import { choose, refusalNow } from '../../../../actions/client/choose.ts'
import { serverKeyOf, useAccess, useSession, useViewOnly } from '../../../../actions/client/session.ts'
import type { ActionTarget } from '../../../../actions/model.ts'
import { actionById } from '../../../../actions/table.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { exportJobs } from '../../../../capture/exporting/export-jobs.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { FileButton } from '../../../../ui/controls/FileButton.tsx'
import { Editor } from '../../../../ui/editor/Editor.tsx'
import { chooseSaveTarget } from '../../../../ui/save.ts'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { AttachmentInfo, AttachmentVersion, OpenedDocument } from '../../contract.ts'
import styles from '../documents.module.css'
import { ReplaceAttachment, type Replacing } from './ReplaceAttachment.tsx'
import { fileNameOf } from './file-name-of.ts'
import { useAfterChanges } from './useAfterChanges.ts'

/** Maximum size of an attachment with a preview, bytes. Larger ones can only be downloaded. */
const PREVIEWED = 4 * 1024 * 1024
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/
const TEXT = /^(text\/|application\/(json|xml|javascript))/

const isPreviewed = ({ contentType, bytes }: AttachmentInfo): boolean =>
  bytes <= PREVIEWED && (IMAGE.test(contentType) || TEXT.test(contentType))

interface RowActions {
  readonly isRunning: boolean
  /** Reason why nothing can be changed; null if it can. */
  readonly refusal: string | null
  readonly show: (of: AttachmentInfo) => Promise<void>
  readonly download: (of: AttachmentInfo) => Promise<void>
  readonly remove: (of: AttachmentInfo) => Promise<void>
}

const columnsOf = ({
  isRunning,
  refusal,
  show,
  download,
  remove,
}: RowActions): readonly RowColumn<AttachmentInfo>[] => [
  {
    title: 'Name',
    cell: ({ name }) => <span className={styles.fileName}>{name}</span>,
    compare: (a, b) => compareNames(a.name, b.name),
  },
  {
    title: 'Type',
    cell: ({ contentType }) => contentType,
    compare: (a, b) => compareNames(a.contentType, b.contentType),
  },
  {
    title: 'Size',
    className: styles.unbroken,
    cell: ({ bytes }) => formatBytes(bytes),
    compare: (a, b) => a.bytes - b.bytes,
    isFigure: true,
  },
  {
    title: 'Actions',
    cell: (each) => (
      <span className={cx('line tight', styles.unbroken)}>
        {isPreviewed(each) ? (
          <Button small disabled={isRunning} aria-label={`Show ${each.name}`} onClick={() => void show(each)}>
            Show
          </Button>
        ) : null}
        <Button small disabled={isRunning} aria-label={`Download ${each.name}`} onClick={() => void download(each)}>
          Download
        </Button>
        <Button
          small
          disabled={refusal !== null || isRunning}
          title={refusal ?? undefined}
          aria-label={`Delete ${each.name}`}
          onClick={() => void remove(each)}
        >
          Delete …
        </Button>
      </span>
    ),
  },
]

interface AttachmentsPartProps {
  readonly database: string
  readonly opened: OpenedDocument
  readonly onChanged: () => void
}

/** Whether the document has the attachment as it was read: not another one of its name. */
const isStill = ({ name, hash }: AttachmentInfo, { attachments }: OpenedDocument): boolean =>
  attachments.some((each) => each.name === name && each.hash === hash)

interface Preview {
  readonly of: AttachmentInfo
  readonly bytes: Uint8Array<ArrayBuffer>
}

export function AttachmentsPart({ database, opened, onChanged }: AttachmentsPartProps): ReactNode {
  const capture = useCapture()
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const jobs = exportJobs(capture)
  const { attempt, failure, isRunning } = useAttempt()
  const [replacing, setReplacing] = useState<Replacing | null>(null)
  const [changed, setChanged] = useState<string | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const target: ActionTarget = { kind: 'document', database, name: opened.id }
  useAfterChanges(target, onChanged)
  const attach = actionById('document.attach')
  const detach = actionById('document.detach')
  const refusal = attach === null ? null : refusalNow(attach, target, access, viewOnly)

  const read = (of: AttachmentInfo) =>
    attempt('Could not read the attachment', () =>
      capture.request('documents.attachment', { database, id: opened.id, name: of.name }),
    )
  const show = async (of: AttachmentInfo): Promise<void> => {
    const got = await read(of)
    if (got.ok) setPreview({ of, bytes: got.result })
  }
  /** Downloads piece by piece: an attachment may be larger than the memory of the page. */
  const download = async ({ name, bytes, contentType }: AttachmentInfo): Promise<void> => {
    const fileName = fileNameOf(name)
    await attempt('Not downloaded', async () => {
      if (jobs.getSnapshot()?.phase === 'running')
        throw new Error('Another file is being saved: wait for it, or stop it.')
      const to = await chooseSaveTarget({ name: fileName, mediaType: contentType, expectedBytes: bytes })
      if (to === null) return
      jobs.dismiss()
      const params = { database, id: opened.id, name, bytes }
      await jobs.start({ exporter: 'documents.attachment', params, fileName, target: to })
    })
  }
  /** Current version of an attachment; null: none of that name. Undefined: it could not be read, which is shown. */
  const versionOf = async (name: string): Promise<AttachmentVersion | null | undefined> => {
    setChanged(null)
    const got = await attempt('Could not read the attachment', () =>
      capture.request('documents.attachmentVersion', { database, id: opened.id, name }),
    )
    if (!got.ok) return undefined
    if (got.result === null || !isStill(got.result, opened)) onChanged()
    return got.result
  }
  /** An upload replaces an attachment of the same name (ignoring case), so that case is confirmed. */
  const take = async (file: File): Promise<void> => {
    const isTaken = opened.attachments.some(({ name }) => name.toLowerCase() === file.name.toLowerCase())
    const version = isTaken ? await versionOf(file.name) : null
    if (version === null) upload(file, { expected: '' })
    else if (version !== undefined) setReplacing({ file, version, isOther: !isStill(version, opened) })
  }
  const upload = (file: File, condition: { readonly expected: string; readonly replaced?: string }): void => {
    setReplacing(null)
    if (access === null || attach === null) return
    const inputs = {
      attachment: file.name,
      type: file.type || 'application/octet-stream',
      bytes: String(file.size),
      ...condition,
    }
    const call = { action: attach.id, target, inputs, facts: {} }
    void session.runner.start(serverKeyOf(access), call, attach.title, { payload: file })
  }
  const remove = async ({ name }: AttachmentInfo): Promise<void> => {
    const version = await versionOf(name)
    if (version === undefined || access === null || detach === null) return
    if (version === null || !isStill(version, opened)) {
      const happened = version === null ? 'deleted' : 'replaced'
      return setChanged(`Another client has ${happened} “${name}” since it was read: nothing was deleted here.`)
    }
    const inputs = { attachment: name, expected: version.changeVector }
    choose(session, access, { action: detach, inputs, title: `Delete attachment “${name}”` }, [{ target, facts: {} }])
  }
  return (
    <div className={cx('stack', styles.part)}>
      <div className="row">
        <FileButton
          input="File to attach"
          icon="add"
          disabled={refusal !== null}
          title={refusal ?? undefined}
          onFiles={([file]) => void take(file)}
        >
          Upload attachment
        </FileButton>
        <AttemptFailure of={failure} />
        {changed === null ? null : <span role="alert">{changed}</span>}
        <Downloading jobs={jobs} />
        {opened.attachments.length === 0 ? <span className="faint">This document has no attachment.</span> : null}
      </div>
      {opened.attachments.length === 0 ? null : (
        <SideScrollBox label="Table of attachments" className="raised">
          <RowTable<AttachmentInfo>
            label="Attachments"
            rows={opened.attachments}
            keyOf={({ name }) => name}
            columns={columnsOf({ isRunning, refusal, show, download, remove })}
          />
        </SideScrollBox>
      )}
      {replacing === null ? null : (
        <ReplaceAttachment
          {...replacing}
          refusal={refusal}
          onReplace={({ file, version: { changeVector, hash } }) =>
            upload(file, { expected: changeVector, replaced: hash })
          }
          onClose={() => setReplacing(null)}
        />
      )}
      {preview === null || !isStill(preview.of, opened) ? null : <PreviewOf key={preview.of.hash} {...preview} />}
    </div>
  )
}

function Downloading({ jobs }: { readonly jobs: ReturnType<typeof exportJobs> }): ReactNode {
  const job = useSyncExternalStore(jobs.subscribe, jobs.getSnapshot)
  if (job?.exporter !== 'documents.attachment') return null
  const { phase, fileName, bytes, totalRows, message } = job
  if (phase === 'failed')
    return (
      <span role="alert">
        {fileName} was not downloaded: {message}
      </span>
    )
  return (
    <span role="status">
      {fileName}{' '}
      {phase === 'running' ? (
        <>
          {formatBytes(bytes)}
          {totalRows === null ? '' : ` of ${formatBytes(totalRows)}`}{' '}
          <Button small onClick={jobs.stop}>
            Stop
          </Button>
        </>
      ) : phase === 'done' ? (
        'is downloaded.'
      ) : (
        'was stopped: nothing of it is kept.'
      )}
    </span>
  )
}

function PreviewOf({ of: { name, contentType }, bytes }: Preview): ReactNode {
  const ref = useRef<HTMLElement>(null)
  const [isBroken, setIsBroken] = useState(false)
  const isImage = IMAGE.test(contentType)
  // Below a table of any length.
  useEffect(() => {
    // Returns a promise in new browsers, which is no cleanup.
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const draw = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null) return undefined
      const url = URL.createObjectURL(new Blob([bytes], { type: contentType }))
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [bytes, contentType],
  )
  return (
    <section ref={ref} className={cx('stack', styles.shown)} aria-label={`Preview of ${name}`}>
      <h3>{name}</h3>
      {isBroken ? (
        <p role="alert">The browser cannot draw this image: its bytes are no {contentType}. Download it instead.</p>
      ) : isImage ? (
        <img ref={draw} className={styles.preview} alt={`Attachment ${name}`} onError={() => setIsBroken(true)} />
      ) : (
        <Editor
          label={`Attachment ${name}`}
          text={exactText(bytes)}
          language={contentType === 'application/json' ? 'json' : 'text'}
          isReadOnly
        />
      )}
    </section>
  )
}
