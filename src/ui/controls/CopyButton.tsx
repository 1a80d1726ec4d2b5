import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { visibleLines } from '../../base/text/visible.ts'
import { Button } from './Button.tsx'

interface CopyButtonProps {
  readonly label: string
  readonly text: () => string | Promise<string>
}

/** Copies a text made at the click (or soon after: browsers wait some seconds), and says whether that worked. */
export function CopyButton({ label, text }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)

  useEffect(() => {
    if (outcome === null) return undefined
    const timer = setTimeout(() => setOutcome(null), 2000)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = (): void => {
    const made = text()
    // Text at hand is copied within the click itself: not every browser waits.
    const copied = typeof made === 'string' ? copyText(made) : made.then(copyText)
    copied.then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  }

  return (
    <Button small icon={outcome === 'copied' ? 'check' : 'copy'} onClick={copy}>
      <span aria-live="polite">
        {outcome === null ? label : outcome === 'copied' ? 'Copied' : 'The browser did not allow it'}
      </span>
    </Button>
  )
}

/**
 * Hidden characters leave as escapes, which JSON reads as the same text. On plain http from another host the clipboard is
 * missing; the old way by a selection still works there.
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
  // Inside an open modal dialog, or the focus could not go there.
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way there is without a secure context
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('copy was refused')
}
