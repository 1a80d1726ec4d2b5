import type { ReactNode, Ref } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Editor } from '../../../../ui/editor/Editor.tsx'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'
import { CHECKED_LENGTH, type Finding } from '../../data/findings.ts'
import { EDITED_LENGTH } from '../../data/windows.ts'
import styles from '../documents.module.css'

const LONG = `A text of more than ${formatCount(CHECKED_LENGTH)} characters is not checked while you type: the server checks it when it is saved. From ${formatCount(EDITED_LENGTH)} characters on it is read-only here.`

interface DocumentTextProps {
  readonly editorRef: Ref<EditorHandle>
  readonly label: string
  readonly text: string
  readonly findings: readonly Finding[]
  /** First error of the text; null: none, or it is reported elsewhere. */
  readonly error: Finding | null
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
  /** Shows the error, or saves. */
  readonly onSave: () => void
}

/** Text of a document in the editor, with its first error above. */
export function DocumentText(props: DocumentTextProps): ReactNode {
  const { editorRef, label, text, findings, error, isReadOnly, onChange, onSave } = props
  return (
    <>
      {error === null ? null : (
        <p className="row tight fault" role="status">
          <span>{error.message}</span>
          <Button small onClick={onSave}>
            Show
          </Button>
        </p>
      )}
      {text.length > CHECKED_LENGTH ? <p className="note">{LONG}</p> : null}
      <div className={styles.text}>
        <Editor
          ref={editorRef}
          label={label}
          text={text}
          language="json"
          fills
          isReadOnly={isReadOnly}
          diagnostics={findings}
          onChange={onChange}
          onSave={onSave}
        />
      </div>
    </>
  )
}
