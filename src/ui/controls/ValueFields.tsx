import type { ReactNode } from 'react'
import type { Ticks } from '../../base/brand.ts'
import { formatDateTime, NOT_A_TIME, parseDateTime } from '../../base/text/format.ts'
import type { Clock } from '../../base/text/format.ts'
import { CommitField } from './CommitField.tsx'

export interface NumberFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly unit?: string
  readonly placeholder?: string
  /** Null: empty, no value. */
  readonly value: number | null
  /** Inclusive. */
  readonly min?: number
  readonly max?: number
  readonly onChange: (value: number | null) => void
}

/** A number with its unit; an empty field is null, not 0. */
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

export interface DateTimeFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly value: Ticks
  readonly clock: Clock
  /** Digits after the second that are shown; 0–7. All that is typed is taken. */
  readonly fractionDigits?: number
  readonly onChange: (value: Ticks) => void
}

/** A point in time in the clock of the page; takes `04:01:30.5`, with or without a date, and the server's own form. */
export function DateTimeField({ value, clock, fractionDigits = 3, onChange, ...frame }: DateTimeFieldProps): ReactNode {
  const take = (text: string): string | null => {
    const typed = parseDateTime(text, clock, value)
    if (Number.isNaN(typed)) return NOT_A_TIME
    onChange(typed)
    return null
  }
  return (
    <CommitField
      {...frame}
      value={formatDateTime(value, clock, fractionDigits)}
      unit={clock === 'utc' ? 'UTC' : 'local'}
      onCommit={take}
    />
  )
}
