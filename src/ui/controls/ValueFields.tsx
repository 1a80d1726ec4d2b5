import type { ReactNode } from 'react'
import { CommitField } from './CommitField.tsx'

export interface NumberFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly unit?: string
  readonly placeholder?: string
  /** Value, null if the field is empty. */
  readonly value: number | null
  /** Inclusive. */
  readonly min?: number
  readonly max?: number
  readonly onChange: (value: number | null) => void
}

/** Number field with a unit; empty is null, not 0. */
export function NumberField({ value, min, max, onChange, ...frame }: NumberFieldProps): ReactNode {
  const take = (text: string): string | null => {
    const typed = text.trim() === '' ? null : Number(text)
    if (typed !== null && !Number.isFinite(typed)) return 'Not a number.'
    if (typed !== null && min !== undefined && typed < min) return `At least ${String(min)}.`
    if (typed !== null && max !== undefined && typed > max) return `At most ${String(max)}.`
    onChange(typed)
    return null
  }
  return <CommitField {...frame} value={value === null ? '' : String(value)} onCommit={take} />
}
