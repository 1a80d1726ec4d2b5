import { formatBytes, formatCount } from '../../base/text/format.ts'
import { listNames } from '../../base/text/list-names.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import type { OperationState } from '../../ravendb/operations-wire.ts'
import type { Action, ActionCall, ActionFacts, Beforehand, BegunOperation } from '../model.ts'
import { checkDatabase, NO_DATABASE } from './database-reading.ts'
import {
  canBeLoaded,
  databaseWords,
  discardsResets,
  howMuch,
  KEPT,
  lastBackup,
  loadsFirst,
  nameOf,
  named,
} from './database-words.ts'
import { readIndexes } from './index-reading.ts'
import { measureDatabase } from './measures.ts'
import { checkOperation } from './lost-operation.ts'
import { isOfClass, numberOf } from './operation-reading.ts'
import { namesIn } from '../name-list.ts'

/* Compaction of a database. Roles and traps as measured on 7.1.5, 6.2.4 and 5.4.207. */

const indexesOf = ({ inputs }: ActionCall): readonly string[] => namesIn(inputs['indexes'])

/** `: its volume has 3.4 GiB free`, with a warning if that is too little; empty: not known. */
function freeWords({ volumeFreeBytes, sizeBytes }: ActionFacts): string {
  if (volumeFreeBytes === undefined) return ''
  const isTight = sizeBytes !== undefined && volumeFreeBytes < sizeBytes
  return `: its volume has ${formatBytes(volumeFreeBytes)} free${isTight ? ', which may not be enough' : ''}`
}

/** The reported sizes are those of the whole folder, even if only documents are compacted. */
function compacted({ result }: OperationState): string {
  const before = numberOf(result, 'SizeBeforeCompactionInMb')
  const after = numberOf(result, 'SizeAfterCompactionInMb')
  const sizes =
    before === null || after === null || (before === 0 && after === 0)
      ? 'It is compacted.'
      : before === after
        ? `Database on disk: ${formatCount(before)} MB, as before: nothing was gained.`
        : `Database on disk: ${formatCount(before)} MB before, ${formatCount(after)} MB after.`
  const indexes = Object.entries((result?.['IndexesResults'] ?? {}) as Record<string, { Skipped?: unknown } | null>)
  const skipped = indexes.filter(([, index]) => index?.Skipped === true).map(([name]) => `“${name}”`)
  return skipped.length === 0 ? sizes : `${sizes} Not compacted: ${skipped.join(', ')}.`
}

/** Words for the chosen parts to compact. */
function whatWords(call: ActionCall): string {
  const indexes = indexesOf(call)
  if (indexes.length === 0) return 'Its documents are compacted, and no index.'
  return `Its documents are compacted, and ${indexes.map((name) => `“${name}”`).join(', ')}.`
}

/**
 * Why it must not be sent. Given the name of a missing index, all versions take the database offline, leave the indexes
 * as they are, and report success.
 */
async function refusal({ call, read }: Beforehand): Promise<string | null> {
  const wanted = indexesOf(call)
  if (wanted.length === 0) return null
  const there = await read('indexesStats', { database: nameOf(call) }).then(readIndexes, (error: unknown) => {
    if (error instanceof RavenError && error.kind === 'database-unloaded') return null
    throw error
  })
  if (there === null)
    return `${named(call)} is not loaded any more, so its indexes are not known: choose none, or restart it.`
  const missing = wanted.filter((name) => !there.has(name.toLowerCase()))
  return missing.length === 0 ? null : `${named(call)} has no index ${listNames(missing.map((name) => `“${name}”`))}.`
}

const COMPACTION: BegunOperation = {
  of: 'server',
  task: 'DatabaseCompact',
  afterwards: 'Compare the size of the database with before, then compact it again.',
  describe: (call) => `Compacting database: ${nameOf(call)}`,
  isIt: (state, call) => {
    if (isOfClass(state, '.Compaction') === false) return false
    const { Name: name, Message: message } = state.progress ?? state.result ?? {}
    const failed = /^Failed to execute compaction for (.+)$/.exec(String(message))?.[1]
    const of = typeof name === 'string' ? name : failed
    return of === undefined ? null : of.toLowerCase() === nameOf(call).toLowerCase()
  },
}

export const COMPACT: Action = {
  target: 'database',
  right: 'Operator',
  confirm: 'confirm',
  id: 'database.compact',
  title: 'Compact',
  done: 'Compacted',
  fields: [{ name: 'indexes', label: 'Indexes', input: 'indexes', optional: true }],
  applies: canBeLoaded,
  refuses: { where: 'an index that was ticked does not exist (any more)', read: refusal },
  request: (call) => ({
    method: 'POST',
    path: ['admin', 'compact'],
    body: {
      DatabaseName: nameOf(call),
      Documents: true,
      Indexes: indexesOf(call),
      SkipOptimizeIndexes: false,
    },
  }),
  consequence: (call) =>
    `${named(call)}${howMuch(call.facts)} is offline until it is done: its connections are closed and requests are refused. ${loadsFirst(call)}${whatWords(call)} It needs free disk of up to its size beside the data${freeWords(call.facts)}.${lastBackup(call.facts)} ${KEPT}`,
  loss: (_, version) =>
    `Availability meanwhile. Pauses of its indexes, its list of operations and the server’s own statistics of it.${discardsResets(version)}`,
  read: 'the state of the operation, in `/operations/state`; where the response is lost, it is looked for in notifications and by its number',
  isLong: true,
  operation: COMPACTION,
  // Files as they are after reopening, which may enlarge a compacted data file.
  measure: measureDatabase('size on disk, with journals, indexes and temporary files', 'size', 'data'),
  onFailure: {
    leaves:
      'The database with all its documents. Without disk space it is loaded again; after a server was killed, it takes longer to load.',
  },
  check: async (context) => {
    const result = await checkOperation(context, COMPACTION, compacted)
    if (result.isLast !== true) return result
    // The server was restarted meanwhile: only the state of the database can still be read.
    return checkDatabase(context, context.call.target.database, (database) =>
      database === null ? NO_DATABASE : { ...result, text: `${result.text} ${databaseWords(database)}` },
    )
  },
}
