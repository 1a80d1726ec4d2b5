import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../../ui/controls/Button.tsx'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import styles from './viewer.module.css'

/** Pause in typing, ms, after which the search starts. */
const TYPED_MS = 250

interface FindBarProps {
  readonly label: string
  /** Searched text. */
  readonly find: string
  readonly onFind: (find: string) => void
  /** Number of hits, and the current one. */
  readonly found: string
  readonly canStep: boolean
  readonly onStep: (by: 1 | -1) => void
  /** Controls after the hits, during a search. */
  readonly children?: ReactNode
}

/** Search field with buttons to step through the hits. */
export function FindBar({ label, find, onFind, found, canStep, onStep, children }: FindBarProps): ReactNode {
  const [draft, setDraft] = useState(find)
  const [given, setGiven] = useState(find)
  if (find !== given) {
    setGiven(find)
    setDraft(find)
  }
  const latest = useRef(onFind)
  useEffect(() => {
    latest.current = onFind
  })

  useEffect(() => {
    if (draft === given) return undefined
    const timer = setTimeout(() => latest.current(draft), TYPED_MS)
    return () => clearTimeout(timer)
  }, [draft, given])

  return (
    <form
      className={cx('inline', styles.search)}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (draft !== find) onFind(draft)
        else if (canStep) onStep(1)
      }}
    >
      <TextField label={label} hideLabel type="search" placeholder="Search" value={draft} onChange={setDraft} />
      {find === '' ? null : (
        <>
          <span className={styles.faint} role="status">
            {found}
          </span>
          <IconButton small icon="chevron" label="Next hit (Enter)" disabled={!canStep} onClick={() => onStep(1)} />
          <span className={styles.up}>
            <IconButton small icon="chevron" label="Previous hit" disabled={!canStep} onClick={() => onStep(-1)} />
          </span>
          {children}
        </>
      )}
    </form>
  )
}
