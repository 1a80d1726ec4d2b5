import type { ReactNode } from 'react'
import type { ActivityEntry } from '../../../actions/client/activity-log.ts'
import { measuredIndex, sideWords, verdict } from './effect.ts'
import styles from './activity.module.css'

/** What an action was to change, before against after, and what the comparison says. */
export function Effect({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const { before, after, state } = entry
  if (measuredIndex(entry) === null || state !== 'done') return null
  if (before == null && after == null)
    return <p className={styles.faint}>Effect: not recorded. Choose its database as a source to record its batches.</p>
  return (
    <div className={styles.effect} role="group" aria-label="Effect">
      <span>Before</span>
      <span>{before == null ? 'not recorded' : sideWords(before)}</span>
      <span>After</span>
      <span>{after == null ? 'is measured 20 s after its end' : sideWords(after)}</span>
      {before == null || after == null ? null : (
        <>
          <span>Effect</span>
          <strong>{verdict(before, after)}</strong>
        </>
      )}
    </div>
  )
}
