import type { ReactNode } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import type { Lacking } from '../queries.ts'
import styles from './cards.module.css'

const KINDS: Record<Lacking['kind'], string> = {
  right: 'right missing',
  version: 'not in this version',
  licence: 'licence',
  error: 'failed',
}

/** What is not shown, and what would be needed for it: each once, without an alarm. */
export function LackingNote({ lacking }: { readonly lacking: readonly Lacking[] }): ReactNode {
  if (lacking.length === 0) return null
  return (
    <details className={styles.lacking}>
      <summary>Not shown here: {lacking.map((each) => each.what).join('; ')}</summary>
      <ul className={styles.list}>
        {lacking.map((each) => (
          <li key={`${each.kind} ${each.what} ${each.endpoint}`}>
            <Badge>{KINDS[each.kind]}</Badge> <b>{each.what}</b>: {each.message}{' '}
            <code className={styles.faint}>{each.endpoint}</code>
            {each.error === null || each.error.hint === '' ? null : <span> {each.error.hint}</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}
