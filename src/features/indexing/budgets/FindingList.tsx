import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatPlural, formatTime, type Clock } from '../../../base/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { splitIndexKey } from '../batchref.ts'
import type { BatchRef } from '../queries/batches.ts'
import type { BudgetFinding, IndexingFindingsAnswer } from '../queries/findings.ts'
import styles from '../side.module.css'
import { FINDING_TITLES } from '../words.ts'

/** What breaks the rules of the budgets: since when, who, and what that rests on. */
export function FindingList({
  answer,
  clock,
  onShow,
  onBatch,
}: {
  readonly answer: IndexingFindingsAnswer | null
  readonly clock: Clock
  /** Go to the moment at which it was first seen. */
  readonly onShow: (finding: BudgetFinding) => void
  readonly onBatch: (batch: BatchRef) => void
}): ReactNode {
  const findings = answer?.findings ?? []
  return (
    <section className={cx(styles.list, styles.short)} aria-label="Budget watch">
      <div className={styles.heading}>
        <h2>Budget watch</h2>
        <span className={styles.keys}>{answer === null ? '' : `${formatCount(answer.checked)} budgets looked at`}</span>
      </div>
      {findings.length === 0 ? (
        <p className={styles.note}>
          {answer === null || answer.checked === 0
            ? 'No budget was measured yet, so nothing can be said. The server tells a budget only of batches that outgrow what they begin with.'
            : 'Nothing breaks the rules: no budget is kept after its batch, and no more is promised than there is.'}
        </p>
      ) : null}
      {findings.map((finding) => (
        <article key={finding.id} className={styles.finding}>
          <h3>{FINDING_TITLES[finding.kind]}</h3>
          <p>{finding.words}</p>
          <p className={styles.keys}>
            since {formatTime(finding.atTicks, clock, 1)}, seen {formatPlural(finding.times, 'time')}, last at{' '}
            {formatTime(finding.lastTicks, clock, 1)}; {formatBytes(finding.excessBytes)} too much;{' '}
            <bdi>{finding.indexes.map((key) => splitIndexKey(key).name).join(', ')}</bdi>
          </p>
          <details>
            <summary>{formatPlural(finding.evidence.length, 'piece')} of evidence</summary>
            <ol>
              {finding.evidence.map(({ atTicks, batch, words, bytes }, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- in order of time, never reordered
                <li key={i}>
                  {formatTime(atTicks, clock, 1)}: {words}
                  {bytes === null ? '' : ` (${formatBytes(bytes)})`}{' '}
                  {batch === null ? null : (
                    <Button small tone="quiet" onClick={() => onBatch(batch)}>
                      Batch {batch.id}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          </details>
          {finding.grewInto.length === 0 ? null : (
            <p className={styles.keys}>
              grew meanwhile:{' '}
              <bdi>
                {finding.grewInto
                  .map(({ index, grewBytes }) => `${splitIndexKey(index).name} by ${formatBytes(grewBytes)}`)
                  .join(', ')}
              </bdi>
            </p>
          )}
          <div className={styles.row}>
            <Button small onClick={() => onShow(finding)}>
              Show the moment
            </Button>
          </div>
        </article>
      ))}
    </section>
  )
}
