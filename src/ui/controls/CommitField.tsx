import type { ReactNode } from 'react'
import { useState } from 'react'
import { FieldFrame } from './Field.tsx'

export interface CommitFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly unit?: string
  readonly placeholder?: string
  /** Value in force, as text. */
  readonly value: string
  /** Takes the text (null), or says why not. */
  readonly onCommit: (text: string) => string | null
}

/**
 * Text that takes effect on Enter or when one leaves the field; Escape brings back what holds. What is not taken stays
 * as typed, with the reason beside it.
 */
export function CommitField({ label, hideLabel, unit, placeholder, value, onCommit }: CommitFieldProps): ReactNode {
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const commit = (): void => {
    if (draft === null) return
    const refused = draft === value ? null : onCommit(draft)
    setProblem(refused)
    if (refused === null) setDraft(null)
  }

  return (
    <FieldFrame label={label} hideLabel={hideLabel} unit={unit} problem={problem}>
      {({ inputId, describedBy, className }) => (
        <input
          id={inputId}
          className={className}
          type="text"
          value={draft ?? value}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={describedBy}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && draft !== null) {
              // A dialog is confirmed by the next one, once the text is taken.
              event.preventDefault()
              commit()
            } else if (event.key === 'Escape' && draft !== null) {
              event.stopPropagation()
              setDraft(null)
              setProblem(null)
            }
          }}
        />
      )}
    </FieldFrame>
  )
}
