import { useState, type ReactNode } from 'react'
import { beginOf } from '../base/text/begin.ts'
import { formatCount } from '../base/text/format.ts'
import { Button } from './controls/Button.tsx'
import { RunningText } from './RunningText.tsx'

/** UTF-16 units shown at first: the error of an index can contain a whole document of megabytes. */
const FIRST = 4000
/** Each click shows this many times as much. */
const TIMES = 20

interface LongTextProps {
  readonly text: string
  /** Rendered within a sentence; otherwise as lines of its own. */
  readonly isInline?: boolean
  readonly className?: string | undefined
  readonly label?: string
  /** UTF-16 units shown at first. */
  readonly first?: number
  /** Whether a button beside it copies the whole text. */
  readonly hasCopy?: boolean
}

/** Beginning of a server text of any length, with more on request. */
export function LongText(props: LongTextProps): ReactNode {
  const { text, isInline = false, className, label, first = FIRST, hasCopy = true } = props
  const [most, setMost] = useState(first)
  const shown = beginOf(text, most)
  const left = text.length - shown.length
  return (
    <>
      {isInline ? (
        <bdi className={className}>
          <RunningText text={shown} />
        </bdi>
      ) : (
        <pre className={className} tabIndex={0} aria-label={label}>
          {shown}
        </pre>
      )}
      {left === 0 ? null : (
        <Button small onClick={() => setMost(most * TIMES)} title={hasCopy ? 'Copy has all of it' : undefined}>
          More: {formatCount(left)} characters
        </Button>
      )}
    </>
  )
}
