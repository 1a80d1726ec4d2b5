import type { ReactNode } from 'react'
import { asShown } from '../../base/text/as-shown.ts'
import { visibleText } from '../../base/text/visible.ts'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { TextField } from '../../ui/controls/Field.tsx'
import type { ActionCall } from '../model.ts'
import styles from './actions.module.css'

/** Text to type before an irreversible action: the name; for several targets, or for documents, their number. */
const wordToType = (calls: readonly ActionCall[]): string => {
  const [first] = calls
  return calls.length > 1
    ? String(calls.length)
    : (first?.inputs['count'] ?? first?.target.name ?? first?.target.database ?? '')
}

/** Compares visible forms: a name may contain characters that cannot be typed. */
export const isWordTyped = (calls: readonly ActionCall[], typed: string): boolean =>
  asShown(typed) === asShown(wordToType(calls))

interface TypedNameProps {
  readonly calls: readonly ActionCall[]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Field for the name, with the name to copy, and a note while they differ. */
export function TypedName({ calls, value, onChange }: TypedNameProps): ReactNode {
  const word = wordToType(calls)
  const isCount = calls.length > 1 || calls[0]?.inputs['count'] !== undefined
  const isOther = !asShown(word).startsWith(asShown(value))
  const otherWords = isCount ? 'They are not so many.' : 'This differs from what is to be typed; capital letters count.'
  return (
    <div className={styles.field}>
      <TextField label={`Type ${word} to confirm`} value={value} onChange={onChange} />
      <div className="row">
        {isCount ? null : <CopyButton label="Copy the name" text={() => visibleText(word)} />}
        <small role="status">{isOther ? otherWords : ''}</small>
      </div>
    </div>
  )
}
