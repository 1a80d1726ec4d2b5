import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { studioBeside } from '../url/studio-beside.ts'
import styles from './shell.module.css'

/** A link of the official Studio to what is not here. */
export default function OnlyInStudio({ hash }: { readonly hash: string }): ReactNode {
  const [hidden, setHidden] = useState(false)
  const beside = studioBeside(location.pathname)
  if (hidden) return null
  return (
    <aside className={styles.serverNotice} aria-label="About this link">
      <Notice
        tone="info"
        title="This page is in the official Studio only"
        actions={
          <Button small onClick={() => setHidden(true)}>
            Dismiss
          </Button>
        }
      >
        <p>
          Rookery has no page for <bdi>{hash.replace(/\?.*$/s, '')}</bdi>; what is nearest is shown.{' '}
          {beside === null ? (
            'The official Studio is not installed beside it.'
          ) : (
            <a href={beside + hash}>Open it in the official Studio</a>
          )}
        </p>
      </Notice>
    </aside>
  )
}
