import type { ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../../base/text/format.ts'
import type { WaitKind } from '../../../../feeds/stacks/contract/jobs.ts'
import styles from './waits.module.css'
import { WAIT_LOOKS, waitLook } from './wait-styles.ts'
import { WaitSwatch } from './WaitSwatch.tsx'
import { cx } from '../../../../ui/theme/cx.ts'

/** Strip of threads by what they wait for; the words are beside it or in its tooltip. */
export function WaitStrip({ counts }: { readonly counts: readonly number[] }): ReactNode {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const words = WAIT_LOOKS.flatMap(({ title }, at) =>
    (counts[at] ?? 0) === 0 ? [] : [`${title} ${formatCount(counts[at] ?? 0)}`],
  ).join(', ')
  return (
    <span className={styles.strip} role="img" aria-label={words} title={words}>
      {WAIT_LOOKS.map(({ kind, token }, at) =>
        (counts[at] ?? 0) === 0 ? null : (
          <span
            key={kind}
            className={styles.part}
            style={{ flexGrow: counts[at] ?? 0, backgroundColor: kind === 'work' ? 'transparent' : `var(${token})` }}
            data-wait={kind}
          />
        ),
      )}
    </span>
  )
}

interface WaitSummaryProps {
  /** Counts of threads in the order of `WAIT_KINDS`. */
  readonly counts: readonly number[]
  readonly chosen: readonly WaitKind[]
  readonly onToggle: (kind: WaitKind) => void
}

/** Waits of threads, as words with counts; each filters to its threads. */
export function WaitSummary({ counts, chosen, onToggle }: WaitSummaryProps): ReactNode {
  return (
    <div className={cx('wrap', styles.chips)} role="group" aria-label="What threads wait for">
      {WAIT_LOOKS.map(({ kind }, at) => {
        const count = counts[at] ?? 0
        if (count === 0 && !chosen.includes(kind)) return null
        return (
          <button
            key={kind}
            type="button"
            className={cx('inline', styles.chip)}
            aria-pressed={chosen.includes(kind)}
            aria-label={`${waitLook(kind).title}: ${formatPlural(count, 'thread')}`}
            title={waitLook(kind).meaning}
            onClick={() => onToggle(kind)}
          >
            <WaitSwatch kind={kind} /> {waitLook(kind).title} <span className={styles.count}>{formatCount(count)}</span>
          </button>
        )
      })}
    </div>
  )
}
