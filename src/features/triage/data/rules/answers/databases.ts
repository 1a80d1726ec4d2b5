import { formatBytes, formatCount, formatPlural, formatShare } from '../../../../../base/text/format.ts'
import { msFromTicks, TICKS_PER_MS } from '../../../../../base/ticks.ts'
import { valueOf } from '../../../../../ravendb/entry-names.ts'
import type { HeldTombstones, IndexFacts } from '../../../../../ravendb/answers/database-answers.ts'
import type { OngoingTask } from '../../../../../ravendb/databases/ongoing-tasks.ts'
import { DAY_MS, HOUR_MS, span, toDatabase, toServer } from '../helpers.ts'
import type { Finding, TriageRule } from '../../facts.ts'
import { answeredAt, exceptSome, ofEach, ofOwn, someOf, unlessOwn, unlessSome } from './helpers.ts'

/*
 * Least tombstones for a finding, by the single responses of databases. Fewer are what a busy database has between two
 * cleanups.
 */

const HELD_LEAST = 1000
/** Number of tombstones that is more than a backlog of the last minutes, whatever holds them. */
const HELD_MANY = 100_000

const isStoppedIndex = ({ state, status }: IndexFacts): boolean =>
  state === 'Disabled' || state === 'Error' || status === 'Paused' || status === 'Disabled'

/** Whether tombstones are held back permanently. A process that will have handled them in a moment does not count. */
function isHeld(
  held: HeldTombstones,
  indexes: readonly IndexFacts[],
  tasks: readonly OngoingTask[],
  all: number,
): boolean {
  const left = held.left ?? all
  if (!held.isBlocking || left < HELD_LEAST) return false
  if (left >= HELD_MANY && held.left !== null) return true
  const index = indexes.find(({ name }) => name === held.name)
  if (index !== undefined && held.process !== 'Backup') return isStoppedIndex(index)
  const task = tasks.find(({ name }) => name === held.name)
  return task !== undefined && (task.state === 'Disabled' || (task.type === 'Backup' && isNeverRun(task)))
}

export const tombstonesHeld: TriageRule = {
  rule: 'tombstones-held',
  title: 'Deleted documents cannot be removed',
  reason:
    'A deletion leaves a tombstone until every index, backup and replication has seen it. One that is stopped keeps all of them, and the database grows.',
  when: `Reported when at least ${formatCount(HELD_LEAST)} wait for one that is stopped, or ${formatCount(HELD_MANY)} for any.`,
  unknown: unlessSome('tombstones'),
  partly: exceptSome('tombstones', 'indexes', 'tasks'),
  find: (facts) =>
    ofEach(facts, 'tombstones', (all, database, answers): Finding[] => {
      const indexes = valueOf(answers.indexes) ?? []
      const tasks = valueOf(answers.tasks)?.tasks ?? []
      const count = valueOf(answers.counts)?.tombstones ?? 0
      const held = all.filter((each) => isHeld(each, indexes, tasks, count))
      const [first] = held
      if (first === undefined) return []
      const most = held.reduce((sum, { left }) => Math.max(sum, left ?? count), 0)
      const names = [...new Set(held.map(({ name, process }) => `${(process ?? 'task').toLowerCase()} “${name}”`))]
      return [
        {
          about: database,
          level: 'warning',
          weight: most >= HELD_MANY ? 0.7 : 0.4,
          title: `${formatPlural(most, 'tombstone')} of “${database}” cannot be removed: ${names.length === 1 ? `the ${names.join('')} has` : `${formatPlural(names.length, 'process', 'processes')} have`} not seen them.`,
          evidence: names.length === 1 ? [] : someOf(names.map((name) => `The ${name}.`)),
          link: toDatabase(database),
        },
      ]
    }),
}

const isNeverRun = ({ lastFullTicks, lastIncrementalTicks }: OngoingTask): boolean =>
  lastFullTicks === null && lastIncrementalTicks === null

const BACKUP_OLD_MS = 7 * DAY_MS

/** Describes a backup that is overdue, old or has never run. Null: it is in order, or disabled by a user. */
function backupTrouble(
  task: OngoingTask,
  atMs: number,
): { readonly isWarning: boolean; readonly words: string } | null {
  if (task.state === 'Disabled') return null
  const lastMs = Math.max(
    ...[task.lastFullTicks, task.lastIncrementalTicks].map((at) => (at === null ? -1 : msFromTicks(at))),
  )
  const lateMs = task.nextTicks === null ? 0 : atMs - msFromTicks(task.nextTicks)
  const isLate = lateMs > HOUR_MS
  const late = isLate ? `, and is ${span(lateMs)} late` : ''
  if (lastMs < 0) return { isWarning: isLate, words: `“${task.name}” has never run${late}.` }
  if (!isLate && atMs - lastMs <= BACKUP_OLD_MS) return null
  return {
    isWarning: isLate || task.nextTicks === null,
    words: `“${task.name}” ended last ${span(atMs - lastMs)} ago${late}.`,
  }
}

export const backupOld: TriageRule = {
  rule: 'backup-old',
  title: 'A backup is old, or never ran',
  reason: 'What was written since the last backup is lost with the disk.',
  when: 'Reported when an enabled backup is an hour late or older than 7 days; one that never ran and is not due yet is info.',
  unknown: unlessSome('tasks'),
  partly: exceptSome('tasks'),
  find: (facts) =>
    ofEach(facts, 'tasks', ({ tasks }, database): Finding[] => {
      const atMs = msFromTicks(answeredAt(facts))
      const troubles = tasks.flatMap((task) => {
        const trouble = task.type === 'Backup' ? backupTrouble(task, atMs) : null
        return trouble === null ? [] : [trouble]
      })
      const enabled = tasks.filter(({ type, state }) => type === 'Backup' && state !== 'Disabled')
      // If any backup of the database is in order, the others do not matter.
      if (troubles.length === 0 || troubles.length < enabled.length) return []
      return [
        {
          about: database,
          level: troubles.every(({ isWarning }) => isWarning) ? 'warning' : 'info',
          weight: 0.55,
          title:
            troubles.length === 1
              ? `The backup of “${database}” ${troubles.some(({ words }) => words.includes('never')) ? 'has never run' : 'is old'}.`
              : `No backup of “${database}” is up to date.`,
          evidence: someOf(troubles.map(({ words }) => words)),
          link: toDatabase(database),
        },
      ]
    }),
}

export const hugeDocuments: TriageRule = {
  rule: 'huge-documents',
  title: 'Documents are huge',
  reason:
    'Each load, save and index batch moves the whole document; much of it at once takes memory and holds others up.',
  when: 'Reported for documents above the size that the server is configured to call huge, which were used lately.',
  unknown: unlessSome('huge'),
  partly: exceptSome('huge'),
  find: (facts) =>
    ofEach(facts, 'huge', (all, database): Finding[] => {
      const [largest] = all
      if (largest === undefined) return []
      return [
        {
          about: database,
          level: 'warning',
          weight: 0.25,
          title:
            all.length === 1
              ? `The document “${largest.id}” of “${database}” has ${formatBytes(largest.bytes)}.`
              : `${formatPlural(all.length, 'document')} of “${database}” are huge, up to ${formatBytes(largest.bytes)}.`,
          evidence: all.length === 1 ? [] : someOf(all.map(({ id, bytes }) => `“${id}”: ${formatBytes(bytes)}`)),
          link: toDatabase(database),
        },
      ]
    }),
}

const WAITING_LEAST = 100

export const writesWait: TriageRule = {
  rule: 'merger-queue',
  title: 'Transaction merger backlog',
  reason: 'Writes of a database go through one merger; each waits for those before it.',
  when: `Reported when ${formatCount(WAITING_LEAST)} wait at that moment.`,
  unknown: unlessSome('counts'),
  partly: exceptSome('counts'),
  find: (facts) =>
    ofEach(facts, 'counts', ({ waiting }, database): Finding[] =>
      waiting === null || waiting < WAITING_LEAST
        ? []
        : [
            {
              about: database,
              level: 'warning',
              weight: 0.5,
              title: `${formatPlural(waiting, 'write')} of “${database}” wait for the transaction merger.`,
              evidence: [],
              link: toDatabase(database),
            },
          ],
    ),
}

export const conflicts: TriageRule = {
  rule: 'conflicts',
  title: 'Documents are in conflict',
  reason: 'Two nodes changed them at once. Reading one fails, or resolves it, as the database is configured.',
  unknown: unlessSome('counts'),
  partly: exceptSome('counts'),
  find: (facts) =>
    ofEach(facts, 'counts', ({ conflicts: count }, database): Finding[] =>
      count === null || count === 0
        ? []
        : [
            {
              about: database,
              level: 'warning',
              weight: 0.3,
              title: `“${database}” has ${formatPlural(count, 'conflict')}.`,
              evidence: [],
              link: toDatabase(database),
            },
          ],
    ),
}

const GIB = 1024 ** 3
/** Minimum size of a file that is worth a compaction. */
const FILE_LEAST = GIB / 2
/** Size of a file above which a smaller share of free space already counts. */
const FILE_LARGE = 8 * GIB
const limitOf = (bytes: number): number => (bytes > FILE_LARGE ? 0.5 : 0.6)

export const storageFree: TriageRule = {
  rule: 'storage-free',
  title: 'Storage is mostly free space',
  reason:
    'Deleted data leaves free space in the data file, which the database uses again; compaction gives it back to the disk.',
  when: 'Reported for files of 0.5 GiB and more from 60 % on, 50 % above 8 GiB; temporary files likewise, compared with their data file.',
  unknown: unlessSome('storage'),
  partly: exceptSome('storage'),
  find: (facts) =>
    ofEach(facts, 'storage', (environments, database): Finding[] => {
      const found = environments.flatMap(({ name, dataBytes, freeBytes, tempBytes }) => {
        if (dataBytes < FILE_LEAST) return []
        const limit = limitOf(dataBytes)
        const free = (freeBytes ?? 0) / dataBytes
        return [
          ...(free > limit ? [`“${name}”: ${formatShare(free)} of ${formatBytes(dataBytes)} is free.`] : []),
          ...(tempBytes > limit * dataBytes
            ? [`“${name}”: temporary files of ${formatBytes(tempBytes)} beside ${formatBytes(dataBytes)} of data.`]
            : []),
        ]
      })
      if (found.length === 0) return []
      return [
        {
          about: database,
          level: 'info',
          weight: 0.2,
          title: `Storage of “${database}” is larger than its data.`,
          evidence: someOf(found),
          link: toDatabase(database),
        },
      ]
    }),
}

export const databaseDisabled: TriageRule = {
  rule: 'database-disabled',
  title: 'A database is disabled',
  reason: 'No client can read or write it until a user enables it.',
  unknown: unlessSome('record'),
  partly: exceptSome('record'),
  find: (facts) =>
    ofEach(facts, 'record', ({ isDisabled }, database): Finding[] =>
      isDisabled
        ? [
            {
              about: database,
              level: 'info',
              weight: 0.35,
              title: `The database “${database}” is disabled.`,
              evidence: [],
              link: toDatabase(database),
            },
          ]
        : [],
    ),
}

export const databaseNode: TriageRule = {
  rule: 'database-node',
  title: 'A node of a database catches up',
  reason:
    'A node in rehab was out of reach and is behind; a promotable one is new. Neither serves clients before it has caught up.',
  unknown: unlessSome('record'),
  partly: exceptSome('record'),
  find: (facts) =>
    ofEach(facts, 'record', ({ members, rehabs, promotables }, database): Finding[] => {
      if (rehabs.length + promotables.length === 0) return []
      // A database's only node is in rehab for some moments after each start of the server: no data is missing on it.
      if (members.length + rehabs.length + promotables.length === 1) return []
      return [
        {
          about: database,
          level: rehabs.length > 0 ? 'warning' : 'info',
          weight: 0.45,
          title:
            rehabs.length > 0
              ? `“${database}” is in rehab on ${rehabs.join(', ')}.`
              : `“${database}” is not complete yet on ${promotables.join(', ')}.`,
          evidence: [],
          link: toDatabase(database),
        },
      ]
    }),
}

/** Duration beyond which an open transaction keeps the storage from reusing freed pages. */
const TRANSACTION_MS = HOUR_MS

const longOpen = (
  transactions: readonly {
    readonly path: string
    readonly startTicks: number | null
    readonly thread: string | null
  }[],
  nowTicks: number,
): { readonly ms: number; readonly words: string }[] =>
  transactions
    .flatMap(({ path, startTicks, thread }) => {
      const ms = startTicks === null ? 0 : (nowTicks - startTicks) / TICKS_PER_MS
      const by = thread === null ? '' : `, by ${thread.trim()}`
      return ms < TRANSACTION_MS ? [] : [{ ms, words: `${path}: open for ${span(ms)}${by}.` }]
    })
    .toSorted((a, b) => b.ms - a.ms)

const OPEN_REASON =
  'While a transaction is open, pages that were freed since cannot be used again, and journals and scratch files stay: the storage grows.'

export const transactionsOpen: TriageRule = {
  rule: 'transactions-open',
  title: 'A transaction is open for an hour',
  reason: OPEN_REASON,
  unknown: unlessSome('transactions'),
  partly: exceptSome('transactions'),
  find: (facts) =>
    ofEach(facts, 'transactions', (all, database): Finding[] => {
      const open = longOpen(all, answeredAt(facts))
      const [longest] = open
      return longest === undefined
        ? []
        : [
            {
              about: database,
              level: 'warning',
              weight: 0.5,
              title: `A transaction of “${database}” has been open for ${span(longest.ms)}.`,
              evidence: someOf(open.map(({ words }) => words)),
              link: toDatabase(database),
            },
          ]
    }),
}

export const systemTransaction: TriageRule = {
  rule: 'system-transaction-open',
  title: 'A transaction of the server’s storage is open for an hour',
  reason: OPEN_REASON,
  unknown: unlessOwn('transactions'),
  find: (facts) =>
    ofOwn(facts, 'transactions', (all): Finding[] => {
      const open = longOpen(all, answeredAt(facts))
      const [longest] = open
      return longest === undefined
        ? []
        : [
            {
              level: 'warning',
              weight: 0.5,
              title: `A transaction of the server’s own storage has been open for ${span(longest.ms)}.`,
              evidence: someOf(open.map(({ words }) => words)),
              link: toServer('machine'),
            },
          ]
    }),
}
