import { useEffect, useState } from 'react'
import { CHECKED_LENGTH, findingsOf, placeInError, type Finding } from '../../data/findings.ts'

/** Time without typing after which the text is checked, ms. */
const REST_MS = 250

/** Checks a text immediately; returns no findings for a text that is too long. */
export const checked = (text: string): readonly Finding[] => (text.length > CHECKED_LENGTH ? NOTHING : findingsOf(text))

const NOTHING: readonly Finding[] = []

/** A text that the server refused, or of which no response came, and the reason. */
export interface Refused {
  readonly text: string
  readonly why: string
  /** Whether the server may have stored it. */
  readonly isUnknown?: boolean
  /** Whether nothing was sent because the database is not loaded. */
  readonly isUnloaded?: boolean
}

/** Findings about the text, with their positions. A refusal by the server is included until the text changes. */
export function useFindings(text: string, refused: Refused | null): readonly Finding[] {
  const [last, setLast] = useState<readonly Finding[]>(NOTHING)
  useEffect(() => {
    const timer = setTimeout(() => {
      setLast(checked(text))
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  const at = refused === null || refused.text !== text ? null : placeInError(refused.why, text)
  return at === null
    ? last
    : [...last, { from: Math.max(0, at - 1), to: at, severity: 'error', message: refused?.why ?? '' }]
}
