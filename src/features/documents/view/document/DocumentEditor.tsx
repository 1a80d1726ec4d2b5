import { useRef, useState, type ReactNode } from 'react'
import type { ActivityEntry } from '../../../../actions/client/activity-entry.ts'
import type { Draft, DraftPlace } from '../../../../capture/client/drafts/draft.ts'
import { ClosedNotice } from '../../../../capture/frame/notices/ClosedNotice.tsx'
import { useDiffAhead } from '../../../../ui/editor/Editor.tsx'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'
import { useFocusWhenLost } from '../../../../ui/hooks/useFocusOnMount.ts'
import type { OpenedDocument } from '../../contract.ts'
import { CHECKED_LENGTH, type Finding } from '../../data/findings.ts'
import { indentJson } from '../../data/indent-json.ts'
import { EDITED_LENGTH } from '../../data/windows.ts'
import styles from '../documents.module.css'
import { useAfterChanges } from '../parts/useAfterChanges.ts'
import { useOpen } from '../useOpen.ts'
import { DocumentActions } from './DocumentActions.tsx'
import { DocumentFacts } from './DocumentFacts.tsx'
import { DocumentNotices } from './DocumentNotices.tsx'
import { DocumentParts, PartChoice } from './DocumentParts.tsx'
import { DocumentText } from './DocumentText.tsx'
import { LongText } from './LongText.tsx'
import { NewId } from './NewId.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import { useEditing, type Base } from './useEditing.ts'
import { checked, useFindings } from './useFindings.ts'
import { useFocusText } from './useFocusText.ts'
import { useNewest } from './useNewest.ts'
import { useServerVersion } from './useServerVersion.ts'

interface DocumentEditorProps {
  readonly place: DraftPlace
  /** Document on the server, or the text of a new one. */
  readonly read: Base
  /** Document as read; null: a new document, or one that could not be read. */
  readonly opened: OpenedDocument | null
  readonly isReachable: boolean
  /** Whether the document that a draft belongs to was deleted. */
  readonly isDeleted: boolean
  readonly draft: Draft | null
}

/** Version of a document that does not exist. */
const NOTHING: Base = { version: '', text: '' }
const GONE = { changeVector: null, modified: '' } as const

const isDeletion = ({ call, state }: ActivityEntry): boolean => call.action === 'document.delete' && state === 'done'

const errorIn = (text: string): Finding | undefined => checked(text).find(({ severity }) => severity === 'error')

/** Edits a document as text, with its attachments and the like beside it. */
export function DocumentEditor(props: DocumentEditorProps): ReactNode {
  const { place, read, opened: first, isReachable, isDeleted, draft } = props
  const { database } = place
  const { settings, go } = useOpen()
  const editorRef = useRef<EditorHandle>(null)
  const [newId, setNewId] = useState(draft?.newId ?? (settings.collection === null ? '' : `${settings.collection}/`))
  const isNew = place.id === ''
  const id = isNew ? newId.trim() : place.id
  const editing = useEditing(place, read, draft, isNew ? newId : undefined)
  useDiffAhead(editing.isChanged)
  const [isReviewing, setReviewing] = useState(false)
  const focusText = useFocusText(editorRef)
  const server = useServerVersion(place, first, editing, {
    isDeleted,
    onResponse: () => setReviewing(false),
    focusText,
  })
  const { opened, theirs, isGone, setGone, refused, refusal, takeNewest } = server
  const findings = useFindings(editing.text, refused)
  const newest = useNewest(database, isNew || opened === null ? null : place.id, opened?.changeVector ?? '')
  const errors = findings.filter(({ severity }) => severity === 'error')
  const refusedAt = errors.find(({ message }) => message === refused?.why) ?? null
  const canFormat = (editing.isChanged || isNew) && editing.text.length <= CHECKED_LENGTH && errors.length === 0
  const titleRef = useFocusWhenLost<HTMLHeadingElement>()
  const target = { kind: 'document', database, name: place.id } as const
  useAfterChanges(target, () => setGone(true), isDeletion)

  const unsaved = !isReachable
    ? 'The server does not answer: what you type is kept as a draft.'
    : refusal !== null && (editing.isChanged || isNew)
      ? `${refusal} What you type is kept as a draft.`
      : null
  const review = (): void => {
    // The last check may be older than the last keystroke, and the server accepts more than valid JSON.
    const error = errorIn(editing.text)
    if (error !== undefined) editorRef.current?.select(error.from, error.to)
    else if ((editing.isChanged || isNew) && id !== '' && refusal === null) {
      if (isGone) editing.rebase(NOTHING, editing.text)
      setReviewing(true)
    }
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
            refusal ??
            (id === '' ? 'Give the document an id first.' : editing.isChanged || isNew ? null : 'Nothing was changed.')
          }
          refusal={refusal}
          onSave={review}
          onDiscard={() => {
            editing.discard()
            focusText()
          }}
          onFormat={canFormat ? () => editing.change(indentJson(editing.text)) : null}
        />
      </div>
      {opened === null ? null : <DocumentFacts database={database} opened={opened} />}
      <ClosedNotice database={database}>
        {editing.isChanged
          ? 'This text is still here, and what you typed is kept as a draft.'
          : 'This text is still here: Download keeps it.'}
      </ClosedNotice>
      <DocumentNotices
        place={place}
        editing={editing}
        known={opened}
        newest={isGone ? GONE : newest}
        refused={refused}
        theirs={theirs}
        onShowRefused={refusedAt === null ? null : () => editorRef.current?.select(refusedAt.from, refusedAt.to)}
        onLoaded={() => {
          server.clearRefused()
          review()
        }}
        onTake={() => void takeNewest()}
        onCreateAgain={() => {
          editing.rebase(NOTHING, editing.text)
          setReviewing(refusal === null && errorIn(editing.text) === undefined)
        }}
        onTheirs={server.setTheirs}
        onResolved={focusText}
      />
      {isNew || opened === null ? null : (
        <PartChoice opened={opened} part={settings.part} onChoose={(part) => go({ part })} />
      )}
      {editing.text.length > EDITED_LENGTH && settings.part === 'text' ? (
        <LongText label={`Text of ${place.id}`} text={editing.text} />
      ) : isNew || opened === null || settings.part === 'text' ? (
        <DocumentText
          editorRef={editorRef}
          label={isNew ? 'Text of the new document' : `Text of ${place.id}`}
          text={editing.text}
          findings={findings}
          error={refusedAt === null ? (errors[0] ?? null) : null}
          isReadOnly={theirs !== null}
          onChange={editing.change}
          onSave={review}
        />
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
      {unsaved === null ? null : <p className="note">{unsaved}</p>}
      {isReviewing ? (
        <SaveDialog
          id={id}
          before={isNew ? '' : editing.base.text}
          after={editing.text}
          isNew={editing.base.version === ''}
          onCollection={editing.change}
          isSaving={server.isSaving}
          onSave={() => void server.save(id)}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  )
}
