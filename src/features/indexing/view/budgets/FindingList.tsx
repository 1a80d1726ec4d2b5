import { useTimes } from '../../../../capture/client/times.ts'
import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatPlural } from '../../../../base/text/format.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import { ENOUGH_BATCHES } from '../../../../feeds/indexing/contract/limits.ts'
import type { BatchRef } from '../../../../feeds/indexing/contract/batches.ts'
import type { BudgetFinding, IndexingFindingsResponse } from '../../../../feeds/indexing/contract/findings.ts'
import list from '../../../../ui/side-list.module.css'
import styles from '../details/side.module.css'
import { FINDING_TITLES } from '../words.ts'

interface FindingListProps {
  readonly response: IndexingFindingsResponse | null
  /** Goes to the time at which the violation was first seen. */
  readonly onShow: (finding: BudgetFinding) => void
  readonly onBatch: (batch: BatchRef) => void
}

/** Budgets that violate their rules: since when, which indexes, on what evidence; and what was and was not checked. */
export function FindingList({ response, onShow, onBatch }: FindingListProps): ReactNode {
  const time = useTimes()
  const findings = response?.findings ?? []
  return (
    <section className={cx('raised', 'column', list.list, list.short)} aria-label="Budget watch">
      <div className={cx('row tight', list.heading)}>
        <h2>Budget watch</h2>
        <span className={list.keys}>
          {response === null ? '' : `${formatPlural(response.checked, 'budget')} checked`}
        </span>
      </div>
      {response === null ? <p className={cx('note', list.note)}>Checking budgets …</p> : <Checks response={response} />}
      {findings.map((finding) => (
        <article key={finding.id} className={styles.finding}>
          <h3>{FINDING_TITLES[finding.kind]}</h3>
          <p>{finding.words}</p>
          <p className={list.keys}>
            since {time(finding.atTicks, 1)}, last at {time(finding.lastTicks, 1)}, {formatCount(finding.times)} ×;{' '}
            {formatBytes(finding.excessBytes)} too much;{' '}
            <bdi>{finding.indexes.map((key) => splitIndexKey(key).name).join(', ')}</bdi>
          </p>
          <details>
            <summary>{formatPlural(finding.evidence.length, 'piece')} of evidence</summary>
            <ol>
              {finding.evidence.map(({ atTicks, batch, words, bytes }, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- in order of time, never reordered
                <li key={i}>
                  {time(atTicks, 1)}: {words}
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
            <p className={list.keys}>
              Grew meanwhile:{' '}
              <bdi>
                {finding.grewInto
                  .map(({ index, grewBytes }) => `${splitIndexKey(index).name} by ${formatBytes(grewBytes)}`)
                  .join(', ')}
              </bdi>
            </p>
          )}
          <div className="row tight">
            <Button small onClick={() => onShow(finding)}>
              Show the moment
            </Button>
          </div>
        </article>
      ))}
    </section>
  )
}

/** Limits of the findings: an index that was not measured must not appear healthy. */
function Checks({ response }: { readonly response: IndexingFindingsResponse }): ReactNode {
  const { findings, finished } = response
  return (
    <>
      <p className={cx('note', list.note)}>{budgetWords(response)}</p>
      <p className={cx('note', list.note)}>
        {finished.physicalBytes === null
          ? 'Machine memory unknown: overcommit not checked.'
          : finished.peakBytes === 0
            ? 'No finished batch reported a budget: their sum is not checked against the memory of the machine.'
            : `Budgets of batches that ran at once: at most ${formatBytes(finished.peakBytes)} of ${formatBytes(finished.physicalBytes)}.`}
      </p>
      {findings.length > 0 || finished.unclear.length === 0 ? null : (
        <p className={cx('note', list.note)}>
          Not judged: <bdi>{finished.unclear.map((key) => splitIndexKey(key).name).join(', ')}</bdi>. One budget in
          batch after batch, and only a part of it in use; no batch that used more of it was seen.
        </p>
      )}
    </>
  )
}

function budgetWords({ findings, checked, finished }: IndexingFindingsResponse): string {
  if (checked === 0)
    return `Not checked: no budget was reported${finished.batches === 0 ? '' : ` by ${formatPlural(finished.batches, 'finished batch', 'finished batches')}`}. A batch reports one only when it outgrows 32 MiB.`
  const covered =
    finished.judgedIndexes === finished.indexes
      ? `all ${formatPlural(finished.indexes, 'index', 'indexes')}`
      : `${formatCount(finished.judgedIndexes)} of ${formatPlural(finished.indexes, 'index', 'indexes')}; the others reported fewer than ${ENOUGH_BATCHES} budgets`
  const scope = `Kept budgets: checked on ${covered}.`
  return findings.length > 0 || finished.judgedIndexes === 0 ? scope : `No issues found. ${scope}`
}
