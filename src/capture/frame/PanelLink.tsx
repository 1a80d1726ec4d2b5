import type { ReactNode } from 'react'
import { cx } from '../../ui/theme/cx.ts'
import type { PanelId } from '../client/panels.ts'
import { useView, type ViewParts } from '../client/view.ts'
import styles from './PanelLink.module.css'

const UNCHANGED: ViewParts = {}

interface PanelLinkProps {
  readonly panel: PanelId
  readonly parts?: ViewParts
  /** Added to the default class. */
  readonly className?: string | undefined
  /** Accessible name, if the text alone is ambiguous. */
  readonly label?: string
  readonly children: ReactNode
}

/** Link to another panel: a real link, so that it can be copied and opened in a tab. */
export function PanelLink({ panel, parts = UNCHANGED, className, label, children }: PanelLinkProps): ReactNode {
  const store = useView()
  return (
    <a
      className={cx(styles.link, className)}
      aria-label={label}
      href={store.href(panel, parts)}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        store.open(panel, parts)
      }}
    >
      {children}
    </a>
  )
}
