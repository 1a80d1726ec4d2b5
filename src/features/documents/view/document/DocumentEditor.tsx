import { useRef, useState, type ReactNode } from 'react'
import type { ActivityEntry } from '../../../../actions/client/activity-entry.ts'
import { formatCount } from '../../../../base/text/format.ts'
import type { Draft, DraftPlace } from '../../../../capture/client/drafts/draft.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { Editor, useDiffAhead } from '../../../../ui/editor/Editor.tsx'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { useFocusWhenLost } from '../../../../ui/hooks/useFocusOnMount.ts'
import type { OpenedDocument } from '../../contract.ts'
import { CHECKED_LENGTH, type Finding } from '../../data/findings.ts'
import { indentJson } from '../../data/json-text.ts'
import styles from '../documents.module.css'
import { useAfterChanges } from '../parts/useAfterChanges.ts'
import { openDocument, useOpen } from '../useOpen.ts'
import { DocumentActions } from './DocumentActions.tsx'
import { DocumentFacts } from './DocumentFacts.tsx'
import { DocumentNotices } from './DocumentNotices.tsx'
import { DocumentParts, PartChoice } from './DocumentParts.tsx'
import { EDITED_LENGTH, LongText } from './LongText.tsx'
import { NewId } from './NewId.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { useEditing, type Base } from './useEditing.ts'
import { checked, useFindings, type Refused } from './useFindings.ts'
import { useFocusText } from './useFocusText.ts'
import { useNewest } from './useNewest.ts'
import { useSaving } from './useSaving.ts'

const LONG = `A text of more than ${formatCount(CHECKED_LENGTH)} characters is not checked while you type: the server checks it when it is saved. From ${formatCount(EDITED_LENGTH)} characters on it is read-only here.`

interface DocumentEditorProps {
  readonly place: DraftPlace
  /** Document on the server, or the text of a new one. */
  readonly read: Base
  /** Document as read; null: a new document, or one that could not be read. */
  readonly opened: OpenedDocument | null
  readonly isReachable: boolean
  readonly draft: Draft | null
}

const GONE = { changeVector: null, modified: '' } as const

const isDeletion = ({ call, state }: ActivityEntry): boolean => call.action === 'document.delete' && state === 'done'

const errorIn = (text: string): Finding | undefined => checked(text).find(({ severity }) => severity === 'error')

const baseOf = ({ changeVector, text }: OpenedDocument): Base => ({ version: changeVector, text })

/** Edits a document as text, with its attachments and the like beside it. */
export function DocumentEditor({ place, read, opened: first, isReachable, draft }: DocumentEditorProps): ReactNode {
  const { database } = place
  const capture = useCapture()
  const { settings, go } = useOpen()
  const editorRef = useRef<EditorHandle>(null)
  const [newId, setNewId] = useState(draft?.newId ?? (settings.collection === null ? '' : `${settings.collection}/`))
  const isNew = place.id === ''
  const id = isNew ? newId.trim() : place.id
  const editing = useEditing(place, read, draft, isNew ? newId : undefined)
  useDiffAhead(editing.isChanged)
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
  const refusedAt = errors.find(({ message }) => message === refused?.why) ?? null
  const canFormat = (editing.isChanged || isNew) && editing.text.length <= CHECKED_LENGTH && errors.length === 0
  const focusText = useFocusText(editorRef)
  const titleRef = useFocusWhenLost<HTMLHeadingElement>()
  const target = { kind: 'document', database, name: place.id } as const
  useAfterChanges(target, () => setGone(true), isDeletion)

  const readAgain = async (): Promise<OpenedDocument | null> => {
    try {
      return await capture.request('documents.open', { database, id: place.id, isFresh: true })
    } catch {
      return null
    }
  }
  /**
   * Adopts the server's version as base: directly if nothing was typed, otherwise for comparison. False: it could not
   * be read.
   */
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
    if (!isNew) focusText()
    if (isNew) {
      if (editing.typed() === sent) editing.discard()
      go(openDocument(saved.id))
      return
    }
    const now = await readAgain()
    const typed = editing.typed()
    // Characters typed during the save and the re-read are a change on top of the saved version.
    editing.rebase(
      now === null ? { version: editing.base.version, text: sent } : baseOf(now),
      typed === sent ? (now?.text ?? sent) : typed,
    )
    if (now !== null) setOpened(now)
  }
  const review = (): void => {
    // The last check may be older than the last keystroke, and the server accepts more than valid JSON.
    const error = errorIn(editing.text)
    if (error !== undefined) editorRef.current?.select(error.from, error.to)
    else if ((editing.isChanged || isNew) && id !== '' && saving.refusal === null) setReviewing(true)
  }

  return (
    <>
      <div className="row">
        {isNew ? (
          <NewId
            id={newId}
            onChange={(typed) => {
              setNewId(typed)
              editing.rename(typed)
            }}
          />
        ) : (
          <h2 ref={titleRef} className={styles.title} tabIndex={-1}>
            {place.id}
          </h2>
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
          onDiscard={() => {
            editing.discard()
            focusText()
          }}
          onFormat={canFormat ? () => editing.change(indentJson(editing.text)) : null}
        />
      </div>
      {opened === null ? null : <DocumentFacts database={database} opened={opened} />}
      <DocumentNotices
        place={place}
        editing={editing}
        known={opened}
        newest={isGone ? GONE : newest}
        refused={refused}
        theirs={theirs}
        onShowRefused={refusedAt === null ? null : () => editorRef.current?.select(refusedAt.from, refusedAt.to)}
        onTake={() => void takeNewest()}
        onCreateAgain={() => {
          editing.rebase({ version: '', text: '' }, editing.text)
          setReviewing(saving.refusal === null && errorIn(editing.text) === undefined)
        }}
        onTheirs={setTheirs}
        onResolved={focusText}
      />
      {isNew || opened === null ? null : (
        <PartChoice opened={opened} part={settings.part} onChoose={(part) => go({ part })} />
      )}
      {editing.text.length > EDITED_LENGTH && settings.part === 'text' ? (
        <LongText label={`Text of ${place.id}`} text={editing.text} />
      ) : isNew || opened === null || settings.part === 'text' ? (
        <>
          {errors.length === 0 || refusedAt !== null ? null : (
            <p className="row tight fault" role="status">
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
            focusText()
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
          onCollection={editing.change}
          isSaving={saving.isSaving}
          onSave={() => void save()}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  )
}
