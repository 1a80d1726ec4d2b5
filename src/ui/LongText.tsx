import { useState, type ReactNode } from 'react'
import { beginOf } from '../base/text/begin.ts'
import { formatCount } from '../base/text/format.ts'
import { Button } from './controls/Button.tsx'

/** UTF-16 units that are shown at first: an error of an index can hold a whole document, of megabytes. */
const FIRST = 4000
/** Each click shows so many times as much. */
const TIMES = 20

interface LongTextProps {
  readonly text: string
  /** As a part of a sentence; else as lines of their own. */
  readonly isInline?: boolean
  readonly className?: string | undefined
  readonly label?: string
}

/** A text of the server, of any length: its beginning, and more of it on request. */
export function LongText({ text, isInline = false, className, label }: LongTextProps): ReactNode {
  const [most, setMost] = useState(FIRST)
  const shown = beginOf(text, most)
  const left = text.length - shown.length
  return (
    <>
      {isInline ? (
        <bdi className={className}>{shown}</bdi>
      ) : (
        <pre className={className} tabIndex={0} aria-label={label}>
          {shown}
        </pre>
      )}
      {left === 0 ? null : (
        <Button small onClick={() => setMost(most * TIMES)} title="Copy has all of it">
          More: {formatCount(left)} characters
        </Button>
      )}
    </>
  )
}
