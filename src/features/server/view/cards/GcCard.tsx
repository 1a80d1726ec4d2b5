import { lazy, Suspense, type ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatLeastShare,
  formatShare,
  UNKNOWN,
} from '../../../../base/text/format.ts'
import { spanFromMs } from '../../../../base/ticks.ts'
import type { GcKind, ServerGc } from '../../../../feeds/server/contract/machine.ts'
import styles from './cards.module.css'
import { Fact, formatMean } from './Fact.tsx'
import { cx } from '../../../../ui/theme/cx.ts'

const KINDS: Record<GcKind['kind'], { readonly title: string; readonly explains: string }> = {
  Ephemeral: { title: 'Minor', explains: 'Ephemeral: of generations 0 and 1, short and often.' },
  Background: { title: 'Background', explains: 'Of all generations, while the server works on.' },
  FullBlocking: { title: 'Full, blocking', explains: 'Of all generations, while every thread waits.' },
}

const ActionButton = lazy(() =>
  import('../../../../actions/view/ActionButton.tsx').then((module) => ({ default: module.ActionButton })),
)
const SERVER = { kind: 'server', database: null, name: null } as const

/** Garbage collection: its frequency, the share of time it takes, and the newest collection of each kind. */
export function GcCard({ gc }: { readonly gc: ServerGc }): ReactNode {
  const { newest, detail } = gc
  const gaps = newest?.heaps.reduce((sum, heap) => sum + heap.fragmentedAfterBytes, 0) ?? 0
  return (
    <section className={cx('raised', styles.card)} aria-label="Garbage collection">
      <h2>Garbage collection</h2>
      <Suspense fallback={null}>
        <ActionButton action="server.gc" target={SERVER} />
      </Suspense>
      <dl className={styles.facts}>
        <Fact
          name="Collections per minute"
          title={`Of all kinds together; ${formatCount(gc.index)} since the server started. It reports no count of each kind.`}
          value={gc.perMinute === null ? 'counting for a minute' : formatMean(gc.perMinute)}
        />
        <Fact
          name="Paused since start"
          title="Share of time in which every thread waited for a collection"
          value={formatShare(gc.pauseTimePercent / 100)}
        />
        <Fact
          name="Paused, last minute"
          title="Of several collections between two reports only the last of each kind is known: at least this"
          value={gc.recentPauseShare === null ? UNKNOWN : `≥ ${formatLeastShare(gc.recentPauseShare)}`}
        />
        {newest === null ? null : (
          <>
            <Fact
              name="Managed heap"
              title="As the newest collection left it, gaps included"
              value={formatBytes(newest.heapAfterBytes)}
            />
            <Fact
              name="Fragmentation"
              title="Gaps inside the heap; highest after a background collection"
              value={`${formatBytes(gaps)}${newest.heapAfterBytes > 0 ? `, ${formatShare(gaps / newest.heapAfterBytes)}` : ''}`}
            />
          </>
        )}
        {detail === null ? null : (
          <>
            <Fact
              name="Committed"
              title="What the process pays for the managed heap, used or not"
              value={formatBytes(detail.committedBytes)}
            />
            <Fact
              name="Pinned objects"
              title="At the newest collection before the last request; 0 after most minor ones"
              value={formatCount(detail.pinnedObjects)}
            />
          </>
        )}
      </dl>
      <table className={cx('figures', styles.table)}>
        <thead>
          <tr>
            <th scope="col">Newest</th>
            <th scope="col">Pause</th>
            <th scope="col">Heap after</th>
          </tr>
        </thead>
        <tbody>
          {gc.kinds.map((each) => (
            <tr key={each.kind}>
              <th
                scope="row"
                title={`${KINDS[each.kind].explains}${each.index === 0 ? '' : ` Collection ${formatCount(each.index)} of all.`}`}
              >
                {KINDS[each.kind].title}
              </th>
              {each.index === 0 ? (
                <td colSpan={2} className="faint">
                  none yet
                </td>
              ) : (
                <>
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
