import type { ReactNode } from 'react'
import { useState } from 'react'
import { FieldFrame } from './Field.tsx'

export interface CommitFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly unit?: string
  readonly placeholder?: string
  /** Current value, as text. */
  readonly value: string
  /** Accepts the text (null), or returns why not. */
  readonly onCommit: (text: string) => string | null
}

/** Text field that takes effect on Enter or blur; Escape restores. What is not accepted stays, with why. */
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
              // This Enter accepts the text; the next one confirms the dialog.
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
