import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatDuration, formatShare } from '../../../base/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { GcKind, ServerGc } from '../queries.ts'
import styles from './cards.module.css'

const KINDS: Record<GcKind['kind'], { readonly title: string; readonly explains: string }> = {
  Ephemeral: { title: 'Young', explains: 'Ephemeral: of generations 0 and 1, short and often.' },
  Background: { title: 'Background', explains: 'Of all generations, while the server works on.' },
  FullBlocking: { title: 'Full, blocking', explains: 'Of all generations, while every thread waits.' },
}

/** The newest collection of each kind, and how much time pauses take. */
export function GcCard({ gc }: { readonly gc: ServerGc }): ReactNode {
  return (
    <section className={styles.card} aria-label="Garbage collection">
      <h2>Garbage collection</h2>
      <p>
        Pauses took <b>{formatShare(gc.recentPauseShare ?? gc.pauseTimePercent / 100)}</b> of the time{' '}
        {gc.recentPauseShare === null
          ? 'since the server started.'
          : `between the last two collections, ${formatShare(gc.pauseTimePercent / 100)} since the server started.`}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Number</th>
            <th scope="col">Last pause</th>
            <th scope="col">Heap after</th>
          </tr>
        </thead>
        <tbody>
          {gc.kinds.map((each) => (
            <tr key={each.kind}>
              <th scope="row" title={KINDS[each.kind].explains}>
                {KINDS[each.kind].title}
              </th>
              {each.index === 0 ? (
                <td colSpan={3} className={styles.faint}>
                  none yet
                </td>
              ) : (
                <>
                  <td title="Number of the newest collection since the start, of all kinds">
                    {formatCount(each.index)}
                  </td>
                  <td>{formatDuration(spanFromMs(each.pauseMs))}</td>
                  <td>{formatBytes(each.heapAfterBytes)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
