import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { formatCount } from '../../../../base/text/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { Editor } from '../../../../ui/editor/Editor.tsx'
import type { EditorHandle } from '../../../../ui/editor/editor-types.ts'
import { EDITED_LENGTH, windowAt, windowCount, windowOf } from '../../data/windows.ts'
import styles from '../documents.module.css'

interface LongTextProps {
  readonly label: string
  readonly text: string
}

/** Shows a text that is too long for an editor: part by part, with a search over the whole text. */
export function LongText({ label, text }: LongTextProps): ReactNode {
  const editorRef = useRef<EditorHandle>(null)
  const [index, setIndex] = useState(0)
  const [find, setFind] = useState('')
  /** Position of the match; null: no search yet. −1: no match. */
  const [found, setFound] = useState<number | null>(null)
  const [foundLength, setFoundLength] = useState(0)
  const count = windowCount(text)
  const { from, to } = windowAt(text, index)
  const show = (next: number): void => {
    setIndex(Math.min(count - 1, Math.max(0, next)))
    setFound(null)
  }
  const next = (): void => {
    if (find === '') return
    const after = found === null || found < 0 ? from : found + 1
    const at = text.indexOf(find, after)
    const place = at < 0 ? text.indexOf(find) : at
    setFound(place)
    setFoundLength(find.length)
    if (place >= 0) setIndex(windowOf(text, place))
  }
  /** The editor would search only the part that it shows. */
  const search = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    const field = event.currentTarget.querySelector<HTMLInputElement>('input[type="search"]')
    field?.focus()
    field?.select()
  }
  // Runs after the editor has received the text of the part.
  useLayoutEffect(() => {
    if (found === null) editorRef.current?.scrollTo(0)
    else if (found >= from && found < to) editorRef.current?.select(found - from, found + foundLength - from)
  }, [found, foundLength, from, to])
  return (
    <section className="stack" aria-label={label} onKeyDownCapture={search}>
      <p className="note">
        {`This text has ${formatCount(text.length)} characters. Texts of up to ${formatCount(EDITED_LENGTH)} characters are edited here; this one is shown part by part, read-only. Download it, or change it by a patch in Query.`}
      </p>
      <div className="row">
        <Button small disabled={index === 0} onClick={() => show(index - 1)}>
          Previous part
        </Button>
        <label className="row tight">
          <span>{`Part ${formatCount(index + 1)} of ${formatCount(count)}`}</span>
          <input
            type="range"
            aria-label="Part"
            min={1}
            max={count}
            value={index + 1}
            onChange={(event) => show(Number(event.target.value) - 1)}
          />
        </label>
        <Button small disabled={index + 1 >= count} onClick={() => show(index + 1)}>
          Next part
        </Button>
        <form
          className="row tight"
          onSubmit={(event) => {
            event.preventDefault()
            next()
          }}
        >
          <TextField
            label="Find in the whole text"
            hideLabel
            type="search"
            placeholder="Find in the whole text"
            value={find}
            onChange={setFind}
          />
          <Button submits small>
            Find next
          </Button>
        </form>
        <span role="status">
          {found === null ? '' : found < 0 ? 'Not found.' : `At character ${formatCount(found + 1)}.`}
        </span>
      </div>
      <div className={styles.text}>
        <Editor ref={editorRef} label={label} text={text.slice(from, to)} language="text" fills isReadOnly />
      </div>
    </section>
  )
}
