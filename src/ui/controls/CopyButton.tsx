import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { visibleLines } from '../../base/text/visible.ts'
import { Button } from './Button.tsx'

interface CopyButtonProps {
  readonly label: string
  readonly small?: boolean
  readonly text: () => string | Promise<string>
}

/** Copies a text that is made at the click (or within seconds: browsers wait that long), and says whether it worked. */
export function CopyButton({ label, small = true, text }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)

  useEffect(() => {
    if (outcome === null) return undefined
    const timer = setTimeout(() => setOutcome(null), 2000)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = (): void => {
    const made = text()
    // Text that is available is copied within the click: not every browser waits.
    const copied = typeof made === 'string' ? copyText(made) : made.then(copyText)
    copied.then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  }

  return (
    <Button small={small} icon={outcome === 'copied' ? 'check' : 'copy'} onClick={copy}>
      <span aria-live="polite">
        {outcome === null ? label : outcome === 'copied' ? 'Copied' : 'The browser did not allow it'}
      </span>
    </Button>
  )
}

/**
 * Copies a text with hidden characters as escapes, which JSON decodes to the same text. On plain http from another host
 * there is no clipboard API; the old way by a selection still works.
 */
async function copyText(raw: string): Promise<void> {
  const text = visibleLines(raw)
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard !== undefined) {
    await clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Within an open modal dialog, since nothing outside of it can take the focus.
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way there is without a secure context
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('copy was refused')
}
