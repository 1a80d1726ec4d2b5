import type { ReactNode } from 'react'
import { useId, useRef } from 'react'
import { IconButton } from './Button.tsx'
import type { IconName } from '../Icon.tsx'
import styles from './Popover.module.css'

const GAP_PX = 4

interface PopoverProps {
  readonly label: string
  readonly icon: IconName
  readonly children: ReactNode
}

/** Button that opens a small panel below it; the browser closes it on Escape and on a click elsewhere. */
export function Popover({ label, icon, children }: PopoverProps): ReactNode {
  const id = useId()
  const anchorRef = useRef<HTMLSpanElement>(null)
  const panelRef = useRef<HTMLDivElement>(null)

  const place = (): void => {
    const anchor = anchorRef.current?.getBoundingClientRect()
    const panel = panelRef.current
    if (anchor === undefined || panel === null) return
    panel.style.top = `${String(anchor.bottom + GAP_PX)}px`
    panel.style.insetInlineEnd = `${String(Math.max(GAP_PX, document.documentElement.clientWidth - anchor.right))}px`
  }

  return (
    <span ref={anchorRef} className={styles.anchor}>
      <IconButton icon={icon} label={label} popoverTarget={id} />
      <div
        ref={panelRef}
        id={id}
        popover="auto"
        className={styles.popover}
        onBeforeToggle={place}
        role="group"
        aria-label={label}
      >
        {children}
      </div>
    </span>
  )
}
