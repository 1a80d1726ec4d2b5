import { formatPlural } from '../../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS } from '../../../../../base/ticks.ts'
import type { Failures } from '../../../../../ravendb/answers/write-answers.ts'
import { valueOf } from '../../../../../ravendb/entry-names.ts'
import { around, endedAt, span, toDatabase } from '../helpers.ts'
import type { Finding, TriageRule } from '../../facts.ts'
import { answeredAt, exceptSome, ofEach, unlessSome } from './helpers.ts'

/** Number of failures one after the other from which on they are no accident. */
const FAILED_FROM = 3

const lasted = ({ sinceTicks, untilTicks }: Failures): string => span((untilTicks - sinceTicks) / TICKS_PER_MS)

/**
 * Writes that fail, in a debug package: it has neither free space nor the requests that failed, but what the storage
 * tried.
 */
export const storageFails: TriageRule = {
  rule: 'storage-fails',
  title: 'Data cannot be written to its files',
  reason:
    'RavenDB writes to journals first, and flushes them to the data file. Where that fails again and again, as on a full disk, writes fail, and the server may not start again.',
  when: `Reported when at least ${FAILED_FROM} transactions were compressed and not written to the journal since the last one that was, or when at least ${FAILED_FROM} flushes of documents wrote nothing since the last one that did.`,
  unknown: unlessSome('storageIo'),
  partly: exceptSome('storageIo'),
  find: (facts) =>
    ofEach(facts, 'storageIo', (failures, database, answers): Finding[] => {
      const { commits, flushes } = { commits: lasting(failures.commits), flushes: lasting(failures.flushes) }
      const [first, ...others] = [commits, flushes].filter((each) => each !== null)
      if (first === undefined) return []
      // By itself it may be conflicts, which execute nothing either.
      const merges = flushes === null ? null : lasting(valueOf(answers.merges))
      const all = [first, ...others]
      const untilTicks = Math.max(...all.map((each) => each.untilTicks))
      const ago = span(Math.max(0, answeredAt(facts) - untilTicks) / TICKS_PER_MS)
      return [
        {
          about: database,
          level: 'critical',
          weight: 0.92,
          title: `${commits === null && merges === null ? `The data file of “${database}” cannot be written` : `Writes to “${database}” fail`}: its disk is full, or refuses writes.`,
          evidence: [
            ...(commits === null
              ? []
              : [`${formatPlural(commits.count, 'transaction')} in ${lasted(commits)} did not get into the journal.`]),
            ...(flushes === null
              ? []
              : [
                  `${formatPlural(flushes.count, 'flush', 'flushes')} to the data file in ${lasted(flushes)} wrote nothing.`,
                ]),
            ...(merges === null
              ? []
              : [`${formatPlural(merges.count, 'transaction')} in ${lasted(merges)} executed no command.`]),
            `The last failure was ${ago} before the package was made. It has no free space: look at the disk, and at the server’s log for DiskFullException.`,
          ],
          sinceTicks: Math.min(...all.map((each) => each.sinceTicks)) as Ticks,
          held: endedAt(untilTicks),
          link: { ...toDatabase(database), range: around(first.sinceTicks, 1) },
        },
      ]
    }),
}

const lasting = (failures: Failures | null): Failures | null =>
  failures === null || failures.count < FAILED_FROM ? null : failures
