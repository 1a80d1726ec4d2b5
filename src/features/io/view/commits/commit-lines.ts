import { formatCount, formatDuration, formatPlural, formatShare, UNKNOWN } from '../../../../base/text/format.ts'
import type { IoCommit, IoCommitSums } from '../../../../feeds/io/contract/details.ts'

/** A step between waiting work and the next transaction. */
export interface CommitLine {
  readonly step: string
  readonly hint: string
  /** Duration of this step in the selected commit. */
  readonly own: string
  /** Share of the total time of all commits, and the average. */
  readonly all: string
}

interface Step {
  readonly step: string
  readonly hint: string
  readonly own: (commit: IoCommit) => number | null
  readonly sum: (sums: IoCommitSums) => number
  /** Text if no commit has this step. */
  readonly none: string
}

const STEPS: readonly Step[] = [
  {
    step: 'Waiting for work',
    hint: 'The transaction merger had nothing to do before; not known where the server has summed it up',
    own: ({ waitTicks }) => waitTicks,
    sum: ({ waitTicks }) => waitTicks,
    none: UNKNOWN,
  },
  {
    step: 'Transaction',
    hint: 'Executing the merged operations; holds waiting for the journal write of the commit before',
    own: ({ transactionTicks }) => transactionTicks,
    sum: ({ transactionTicks }) => transactionTicks,
    none: UNKNOWN,
  },
  {
    step: 'Compression',
    hint: 'LZ4 of the changed pages; small transactions are written as they are',
    own: ({ compressionTicks }) => compressionTicks,
    sum: ({ compressionTicks }) => compressionTicks,
    none: 'none',
  },
  {
    step: 'Other',
    hint: 'From the end of the transaction to the end of the journal write, neither compression nor journal write',
    own: ({ otherTicks }) => otherTicks,
    sum: ({ otherTicks }) => otherTicks,
    none: UNKNOWN,
  },
  {
    step: 'Journal write',
    hint: 'The write that the commit waits for',
    own: ({ journalTicks }) => journalTicks,
    sum: ({ journalTicks }) => journalTicks,
    none: 'none',
  },
]

/** Steps in chronological order. */
export function commitLines(commit: IoCommit | null, sums: IoCommitSums | null): readonly CommitLine[] {
  const total = sums === null ? 0 : STEPS.reduce((all, { sum }) => all + sum(sums), 0)
  return STEPS.map(({ step, hint, own, sum, none }) => {
    const ticks = commit === null ? null : own(commit)
    return {
      step,
      hint,
      own: commit === null ? UNKNOWN : ticks === null ? none : formatDuration(ticks),
      all:
        sums === null || total === 0
          ? UNKNOWN
          : `${formatDuration(sum(sums) / sums.commits)} (${formatShare(sum(sums) / total)})`,
    }
  })
}

/** Number of operations that waited for this commit. */
export const describeWriters = ({ writers, commands }: IoCommit): string =>
  `${formatPlural(writers, 'operation')} of clients waited for this commit${commands === null ? '' : `, with ${formatPlural(commands, 'command')}`}.`

export const describeSums = (
  { commits, leftOut, writers, mostWriters }: IoCommitSums,
  from: string,
  to: string,
): string =>
  `Mean of ${formatPlural(commits, 'commit')} from ${from} to ${to}, with their share of the time; ${(writers / commits).toFixed(1)} operations each, at most ${formatCount(mostWriters)}.${leftOut === 0 ? '' : ` ${formatPlural(leftOut, 'more commit')} ${leftOut === 1 ? 'is' : 'are'} left out: not every step is known.`}`
