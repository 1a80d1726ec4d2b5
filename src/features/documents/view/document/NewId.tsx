import type { ReactNode } from 'react'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { useFocusOnMount } from '../../../../ui/hooks/useFocusOnMount.ts'
import styles from '../documents.module.css'
import { idNote } from './new-text.ts'

interface NewIdProps {
  readonly id: string
  readonly onChange: (id: string) => void
}

/** Input for the id of a new document. It gets the focus first. */
export function NewId({ id, onChange }: NewIdProps): ReactNode {
  const ref = useFocusOnMount<HTMLInputElement>()
  const note = idNote(id.trim())
  return (
    <div className={styles.newId}>
      <div className={styles.field}>
        <TextField ref={ref} label="Id of the new document" value={id} onChange={onChange} />
      </div>
      {note === '' ? null : <p className="note">{note}</p>}
    </div>
  )
}
