import { useEffect, useState } from 'react'
import { CHECKED_LENGTH, findingsOf, placeInError, type Finding } from '../../data/findings.ts'

/** Typing rests for so long before the text is checked, ms. */
const REST_MS = 250

/** Checks a text at once; returns nothing for one that is too long for it. */
export const checked = (text: string): readonly Finding[] => (text.length > CHECKED_LENGTH ? NOTHING : findingsOf(text))

const NOTHING: readonly Finding[] = []

/** Text that the server refused, and its reason. */
export interface Refused {
  readonly text: string
  readonly why: string
}

/** Findings about the text, at their places; a refusal of the server is marked as long as the text stays the same. */
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
