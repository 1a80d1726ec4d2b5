import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './shell.module.css'

interface LinkNoticeProps {
  readonly tone: 'info' | 'warn'
  readonly title: string
  readonly children: ReactNode
}

/** Notice about the link that opened the page, until it is dismissed. */
export function LinkNotice({ tone, title, children }: LinkNoticeProps): ReactNode {
  const [hidden, setHidden] = useState(false)
  if (hidden) return null
  return (
    <aside className={styles.serverNotice} aria-label="About this link">
      <Notice
        tone={tone}
        title={title}
        actions={
          <Button small onClick={() => setHidden(true)}>
            Dismiss
          </Button>
        }
      >
        {children}
      </Notice>
    </aside>
  )
}
