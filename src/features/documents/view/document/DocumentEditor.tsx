import { useRef, useState, type ReactNode } from 'react'
import { formatCount, formatDuration } from '../../../../base/text/format.ts'
import { spanFromMs } from '../../../../base/ticks.ts'
import type { Draft, DraftPlace } from '../../../../capture/client/drafts/draft.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { DraftNotices } from '../../../../capture/frame/notices/DraftNotices.tsx'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { useNow } from '../../../../ui/hooks/now.ts'
import { Editor } from '../../../../ui/editor/Editor.tsx'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { OpenedDocument } from '../../contract.ts'
import { CHECKED_LENGTH, type Finding } from '../../data/findings.ts'
import styles from '../documents.module.css'
import { openDocument, useOpen } from '../useOpen.ts'
import { Conflict } from './Conflict.tsx'
import { DocumentActions } from './DocumentActions.tsx'
import { DocumentFacts } from './DocumentFacts.tsx'
import { DocumentParts, PartChoice } from './DocumentParts.tsx'
import { EDITED_LENGTH, LongText } from './LongText.tsx'
import { NewestNotice } from './NewestNotice.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { useEditing, type Base } from './useEditing.ts'
import { checked, useFindings, type Refused } from './useFindings.ts'
import { useNewest } from './useNewest.ts'
import { useSaving } from './useSaving.ts'

const LONG = `A text of more than ${formatCount(CHECKED_LENGTH)} characters is not checked while you type: the server checks it when it is saved. From ${formatCount(EDITED_LENGTH)} characters on it is read-only here.`

interface DocumentEditorProps {
  readonly place: DraftPlace
  /** Document as the server has it, or a new one. */
  readonly read: Base
  /** Document as it was read; null: a new document, or one that could not be read. */
  readonly opened: OpenedDocument | null
  readonly isReachable: boolean
  readonly draft: Draft | null
}

const GONE = { changeVector: null, modified: '' } as const

const errorIn = (text: string): Finding | undefined => checked(text).find(({ severity }) => severity === 'error')

const baseOf = ({ changeVector, text }: OpenedDocument): Base => ({ version: changeVector, text })

/** A document as text, with what belongs to it. */
export function DocumentEditor({ place, read, opened: first, isReachable, draft }: DocumentEditorProps): ReactNode {
  const { database } = place
  const capture = useCapture()
  const { settings, go } = useOpen()
  const nowMs = useNow()
  const editorRef = useRef<EditorHandle>(null)
  const [newId, setNewId] = useState(draft?.newId ?? (settings.collection === null ? '' : `${settings.collection}/`))
  const isNew = place.id === ''
  const id = isNew ? newId.trim() : place.id
  const editing = useEditing(place, read, draft, isNew ? newId : undefined)
  const [opened, setOpened] = useState(first)
  const [isReviewing, setReviewing] = useState(false)
  const [theirs, setTheirs] = useState<Base | null>(
    first !== null && editing.isChanged && editing.base.version !== first.changeVector ? baseOf(first) : null,
  )
  const [isGone, setGone] = useState(false)
  const [refused, setRefused] = useState<Refused | null>(null)
  const saving = useSaving(database)
  const findings = useFindings(editing.text, refused)
  const newest = useNewest(database, isNew || opened === null ? null : place.id, opened?.changeVector ?? '')
  const errors = findings.filter(({ severity }) => severity === 'error')

  const readAgain = async (): Promise<OpenedDocument | null> => {
    try {
      return await capture.request('documents.open', { database, id: place.id, isFresh: true })
    } catch {
      return null
    }
  }
  /** Takes what the server has under the text: as it is where nothing was typed, else to be compared. False: it has nothing. */
  const takeNewest = async (): Promise<boolean> => {
    const now = await readAgain()
    if (now === null) return false
    const typed = editing.typed()
    setOpened(now)
    if (typed === editing.base.text || typed === now.text) editing.rebase(baseOf(now), now.text)
    else setTheirs(baseOf(now))
    return true
  }
  const save = async (): Promise<void> => {
    const sent = editing.text
    const saved = await saving.save(id, sent, editing.base.version)
    setReviewing(false)
    setRefused(saved.outcome === 'refused' || saved.outcome === 'unknown' ? { text: sent, why: saved.why } : null)
    if (saved.outcome === 'conflict') {
      if (isNew) setRefused({ text: sent, why: `There is a document “${id}” already: nothing was saved.` })
      else if (!(await takeNewest())) {
        setGone(true)
        setRefused({ text: sent, why: `“${id}” was deleted, or cannot be read now.` })
      }
      return
    }
    if (saved.outcome !== 'saved') return
    setGone(false)
    if (isNew) {
      if (editing.typed() === sent) editing.discard()
      go(openDocument(saved.id))
      return
    }
    const now = await readAgain()
    const typed = editing.typed()
    // Characters that were typed while it was saved and read again are a change on top of it.
    editing.rebase(
      now === null ? { version: editing.base.version, text: sent } : baseOf(now),
      typed === sent ? (now?.text ?? sent) : typed,
    )
    if (now !== null) setOpened(now)
  }
  const review = (): void => {
    // Typing may not have rested since the last check: the server takes more for JSON than JSON is.
    const error = errorIn(editing.text)
    if (error !== undefined) editorRef.current?.select(error.from, error.to)
    else if ((editing.isChanged || isNew) && id !== '' && saving.refusal === null) setReviewing(true)
  }

  return (
    <>
      <div className="row">
        {isNew ? (
          <div className={styles.field}>
            <TextField label="Id of the new document" value={newId} onChange={setNewId} />
          </div>
        ) : (
          <h2 className={styles.title}>{place.id}</h2>
        )}
        <span className="push" />
        <DocumentActions
          database={database}
          opened={opened}
          text={editing.text}
          isChanged={editing.isChanged}
          saveRefusal={
            saving.refusal ??
            (id === '' ? 'Give the document an id first.' : editing.isChanged || isNew ? null : 'Nothing was changed.')
          }
          onSave={review}
          onDiscard={editing.discard}
        />
      </div>
      {opened === null ? null : <DocumentFacts database={database} opened={opened} />}
      <DraftNotices place={place} />
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
        <Notice tone="error" title="It was not saved; the text is kept.">
          <bdi>{refused.why}</bdi>
        </Notice>
      )}
      {theirs === null ? (
        <NewestNotice
          newest={isGone ? GONE : newest}
          known={opened ?? { changeVector: editing.base.version, modified: '' }}
          isChanged={editing.isChanged}
          onTake={() => void takeNewest()}
          onCreateAgain={() => {
            editing.rebase({ version: '', text: '' }, editing.text)
            setReviewing(saving.refusal === null && errorIn(editing.text) === undefined)
          }}
        />
      ) : (
        <Conflict
          base={editing.base.text}
          mine={editing.text}
          theirs={theirs}
          onResolve={(text) => {
            editing.rebase(theirs, text)
            setTheirs(null)
          }}
          onClose={() => setTheirs(null)}
        />
      )}
      {isNew || opened === null ? null : (
        <PartChoice opened={opened} part={settings.part} onChoose={(part) => go({ part })} />
      )}
      {editing.text.length > EDITED_LENGTH && settings.part === 'text' ? (
        <LongText label={`Text of ${place.id}`} text={editing.text} />
      ) : isNew || opened === null || settings.part === 'text' ? (
        <>
          {errors.length === 0 ? null : (
            <p className="row tight" role="status">
              <span>{errors[0]?.message}</span>
              <Button small onClick={review}>
                Show
              </Button>
            </p>
          )}
          {editing.text.length > CHECKED_LENGTH ? <p className="note">{LONG}</p> : null}
          <div className={styles.text}>
            <Editor
              ref={editorRef}
              label={isNew ? 'Text of the new document' : `Text of ${place.id}`}
              text={editing.text}
              language="json"
              fills
              isReadOnly={theirs !== null}
              diagnostics={findings}
              onChange={editing.change}
              onSave={review}
            />
          </div>
        </>
      ) : (
        <DocumentParts
          database={database}
          opened={opened}
          text={editing.text}
          part={settings.part}
          onRevert={(text) => {
            editing.change(text)
            go({ part: 'text' })
          }}
          onChanged={() => void takeNewest()}
        />
      )}
      {isReachable ? null : <p className="note">The server does not answer: what you type is kept as a draft.</p>}
      {isReviewing ? (
        <SaveDialog
          id={id}
          before={isNew ? '' : editing.base.text}
          after={editing.text}
          isNew={editing.base.version === ''}
          isSaving={saving.isSaving}
          onSave={() => void save()}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  )
}
