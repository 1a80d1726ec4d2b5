import { formatCount } from '../../base/text/format.ts'
import { parseTicks } from '../../base/ticks.ts'
import {
  AS_IT_WAS,
  type OnFailure,
  type Action,
  type ActionCall,
  type ActionFacts,
  type ActionRequest,
  type BegunOfDatabase,
  type CheckContext,
  type CheckResult,
} from '../model.ts'
import {
  checkDatabase,
  checkDatabaseState,
  isReloaded,
  NO_DATABASE,
  readRecordIndex,
  type ReadDatabase,
} from './database-reading.ts'
import {
  canBeLoaded,
  discardsResets,
  howMuch,
  isUnloaded,
  KEPT,
  lastBackup,
  loadsFirst,
  nameOf,
  named,
  resetsBeside,
} from './database-words.ts'
import { measureDatabase, MEASURE_RELOAD } from './measures.ts'
import { failedSince } from './failed-alert.ts'
import { checkOperation } from './lost-operation.ts'
import { listsAll, operationIdOf } from './operation-reading.ts'
import { COMPACT } from './compact.ts'
import { SMUGGLER_ACTIONS } from './smuggler.ts'
import { notFull, pathIn } from './server-paths.ts'
import { STORAGE_ACTIONS } from './storage.ts'

/* Actions on a database. Roles and traps as measured on 7.1.5, 6.2.4 and 5.4.207. */

const isDisabled = ({ state }: ActionFacts): boolean => state === 'disabled'
const isLocked = ({ lock }: ActionFacts): boolean => lock !== undefined && lock !== 'Unlock'

const LOCKS: Readonly<Record<string, string>> = {
  Unlock: 'Unlock',
  PreventDeletesIgnore: 'Lock, ignore deletion',
  PreventDeletesError: 'Lock, refuse deletion',
}

const stateWords = ({ isDisabled: disabled, upTimeMs }: Pick<ReadDatabase, 'isDisabled' | 'upTimeMs'>): string =>
  disabled ? 'The server reports it as disabled.' : `It is enabled, and ${upTimeMs === null ? 'not loaded' : 'loaded'}.`

const folderOf = ({ inputs }: ActionCall): string => (inputs['folder'] ?? '').trim()

const BACKUP: BegunOfDatabase = {
  of: 'database',
  task: 'DatabaseBackup',
  afterwards: 'A backup is whole if its file does not end in .in-progress; else back up again.',
  describe: (call) => `Manual backup for database: ${nameOf(call)}`,
  failedAlert: { type: 'PeriodicBackup', titleStart: "Periodic Backup task: 'One Time Backup #" },
}

/**
 * Checks a backup whose number an older operation has: 5.4.207 lists it only while it runs. The time of the last
 * backup, and the alert of a failed one, remain.
 */
const checkUnlistedBackup = (context: CheckContext, unknown: CheckResult): Promise<CheckResult> =>
  checkDatabase(context, context.call.target.database, async (database) => {
    if (database === null) return NO_DATABASE
    const before = context.before?.find(({ unit }) => unit === 'ticks')
    const last = database.lastBackup === null ? null : parseTicks(database.lastBackup)
    if (before === undefined || operationIdOf(context.accepted) === null) return unknown
    // A periodic backup is another one.
    if (last !== null && last !== before.value && database.lastBackupKind === 'OneTime')
      return {
        state: 'done',
        text: `The server lists no such operation, and reports a one-time backup since. It is in ${folderOf(context.call)}.`,
      }
    const cause = await failedSince(context, BACKUP)
    if (cause !== null)
      return {
        state: 'failed',
        text: `${cause} The server lists no such operation, and alerts that a one-time backup failed since.`,
      }
    return { state: 'unknown', text: 'The server lists no such operation, and reports no backup yet.' }
  })

/** Number of the command, if it was executed and confirmed by all nodes; null otherwise. */
function confirmedIndex(accepted: unknown): number | null {
  const { RaftCommandIndex: index, PendingDeletes: pending } = (accepted ?? {}) as Record<string, unknown>
  return typeof index === 'number' && index > 0 && Array.isArray(pending) && pending.length === 0 ? index : null
}

const UNLOADABLE: OnFailure = {
  leaves: 'A database that is listed and answers nothing, where it cannot be loaded: remove the cause, and retry.',
}

const toDatabases = (call: ActionCall, verb: string, more: object = {}): ActionRequest => ({
  method: 'POST',
  path: ['admin', 'databases', verb],
  body: { DatabaseNames: [nameOf(call)], ...more },
  isRaft: true,
})

/** `isOnlyLoaded`: the database is not loaded yet, so that no work is interrupted. */
const restart = (call: ActionCall, isOnlyLoaded: boolean): ActionRequest => ({
  method: 'POST',
  path: ['databases', nameOf(call), 'admin', 'studio-tasks', 'restart'],
  timeoutMs: 300_000,
  mayLoad: isOnlyLoaded,
  onlyUnloaded: isOnlyLoaded,
})

const COMMON = {
  onFailure: AS_IT_WAS,
  target: 'database',
  right: 'Operator',
  confirm: 'confirm',
  loss: () => null,
} satisfies Partial<Action>

export const DATABASE_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'database.enable',
    title: 'Enable',
    done: 'Enabled',
    confirm: 'none',
    applies: (facts) => facts.state === undefined || isDisabled(facts),
    request: (call) => toDatabases(call, 'enable'),
    consequence: (call) => `${named(call)} is enabled on all nodes, and loaded at once.`,
    measure: MEASURE_RELOAD,
    read: '`Disabled` in `/databases`',
    check: checkDatabaseState(({ isDisabled: disabled }) => !disabled, stateWords),
    inverse: () => ({ action: 'database.disable', inputs: {} }),
  },
  {
    ...COMMON,
    id: 'database.disable',
    title: 'Disable',
    done: 'Disabled',
    applies: (facts) => !isDisabled(facts),
    request: (call) => toDatabases(call, 'disable'),
    consequence: (call) =>
      `${named(call)} is unloaded on all nodes: all its connections are closed, and every request to it is refused until it is enabled. ${KEPT}`,
    loss: (_, version) =>
      `Availability. Pauses of its indexes, its list of operations and the server’s own statistics of it.${discardsResets(version)}`,
    measure: measureDatabase('state', 'state'),
    read: '`Disabled` in `/databases`',
    check: checkDatabaseState(({ isDisabled: disabled }) => disabled, stateWords),
    inverse: () => ({ action: 'database.enable', inputs: {} }),
    reminds: 'disabled',
  },
  {
    ...COMMON,
    id: 'database.restart',
    title: 'Restart',
    done: 'Restarted',
    right: 'DatabaseAdmin',
    applies: canBeLoaded,
    request: (call) => restart(call, isUnloaded(call.facts)),
    consequence: (call) =>
      isUnloaded(call.facts)
        ? `${named(call)} is not loaded: the server loads it on this node.`
        : `${named(call)} is unloaded and loaded again on this node: its connections are closed, and requests wait meanwhile. ${KEPT}`,
    loss: ({ facts }, version) =>
      isUnloaded(facts)
        ? null
        : `Pauses of its indexes, its list of operations and the server’s own statistics of it.${discardsResets(version)}`,
    measure: MEASURE_RELOAD,
    read: 'since when it is loaded, in `/databases`',
    onFailure: UNLOADABLE,
    check: (context) =>
      checkDatabase(context, context.call.target.database, (database) => {
        if (database === null) return NO_DATABASE
        if (database.upTimeMs === null) return { state: 'unknown', text: stateWords(database) }
        const text = `It is loaded, for ${formatCount(Math.round(database.upTimeMs / 1000))} s.`
        return { state: isReloaded(context, database.upTimeMs) ? 'done' : 'unchanged', text }
      }),
  },
  {
    ...COMMON,
    // The request that restarts a loaded database loads an unloaded one, and reports why that fails (7.1.5, 6.2.4,
    // 5.4.207).
    id: 'database.load',
    title: 'Retry to load',
    done: 'Loaded',
    right: 'DatabaseAdmin',
    confirm: 'none',
    applies: ({ state }) => state === 'faulted',
    request: (call) => restart(call, true),
    consequence: (call) =>
      `${named(call)} failed to load. The server tries again on this node, and says why where it fails again: remove the cause first.`,
    measure: MEASURE_RELOAD,
    read: 'that it is loaded, in `/databases`',
    onFailure: UNLOADABLE,
    check: (context) =>
      checkDatabase(context, context.call.target.database, (database) =>
        database === null
          ? NO_DATABASE
          : {
              // The duration of a load depends on its journals: without a response it may still be in progress.
              state: database.upTimeMs !== null ? 'done' : context.accepted === null ? 'unknown' : 'unchanged',
              text: stateWords(database),
            },
      ),
  },
  {
    ...COMMON,
    id: 'database.lock',
    title: 'Set lock mode',
    done: 'Lock mode changed',
    confirm: 'none',
    presets: Object.entries(LOCKS).map(([mode, text]) => ({ text, inputs: { mode } })),
    applies: ({ lock }, inputs) => lock !== inputs['mode'],
    request: (call) => toDatabases(call, 'set-lock', { Mode: call.inputs['mode'] ?? 'Unlock' }),
    consequence: (call) =>
      `${call.inputs['mode'] === 'Unlock' ? `${named(call)} can be deleted.` : `Deletion of ${named(call)} is ${call.inputs['mode'] === 'PreventDeletesIgnore' ? 'ignored without an error' : 'refused with an error'}. Disabling it and deleting documents is not prevented.`} It is loaded if it is not.`,
    confirmsAt: (_, version) => resetsBeside(version),
    loss: (_, version) => discardsResets(version).trim() || null,
    read: '`LockMode` in `/databases`',
    check: checkDatabaseState(
      ({ lock }, { call }) => lock === call.inputs['mode'],
      ({ lock }) => `The server reports lock mode ${lock ?? 'unknown'}.`,
    ),
    inverse: ({ facts }) =>
      facts.lock === undefined ? null : { action: 'database.lock', inputs: { mode: facts.lock } },
  },
  ...STORAGE_ACTIONS,
  {
    ...COMMON,
    id: 'database.backup',
    title: 'Back up now',
    done: 'Backed up',
    right: 'DatabaseAdmin',
    fields: [
      {
        name: 'folder',
        label: 'Folder on the server',
        input: 'folder',
        hint: 'A full path. The server must be able to write to it.',
      },
    ],
    applies: canBeLoaded,
    request: (call) => ({
      method: 'POST',
      path: ['databases', nameOf(call), 'admin', 'backup'],
      body: { BackupType: 'Backup', LocalSettings: { FolderPath: folderOf(call) } },
      timeoutMs: 300_000,
      mayLoad: isUnloaded(call.facts),
    }),
    refuses: {
      where: 'the folder is no full path on the system of the server',
      read: (before) => notFull(before, folderOf(before.call)),
    },
    consequence: (call) =>
      `One full backup of ${named(call)}${howMuch(call.facts)} is written to ${folderOf(call) === '' ? 'a folder' : `a new folder in ${folderOf(call)}`} of the server. ${loadsFirst(call)}It takes CPU and disk of the server meanwhile.`,
    measure: measureDatabase('when it was last backed up', 'backup'),
    read: 'the state of the operation, in `operations/state`; where the response is lost, it is looked for in `operations`',
    isLong: true,
    operation: BACKUP,
    onFailure: {
      leaves:
        'The database as it was. Without disk space its new folder, empty; of a server that is killed, a file whose name ends in “.in-progress”.',
    },
    check: async (context) => {
      const result = await checkOperation(context, BACKUP, ({ result: backup }) => {
        const local = backup?.['LocalBackup'] as { readonly BackupDirectory?: unknown } | null | undefined
        // The server reports only the last segment of the given folder.
        const name = local?.BackupDirectory
        return `The backup is in ${typeof name === 'string' ? pathIn(folderOf(context.call), name) : folderOf(context.call)}.`
      })
      return result.isLast === true && result.state === 'unknown' && !listsAll(context)
        ? checkUnlistedBackup(context, result)
        : result
    },
  },
  ...SMUGGLER_ACTIONS,
  COMPACT,
  {
    ...COMMON,
    id: 'database.delete',
    title: 'Delete',
    done: 'Deleted',
    removes: true,
    confirm: 'type-name',
    presets: [
      { text: 'Delete, keep the files', inputs: { files: 'keep' } },
      { text: 'Delete with all files', inputs: { files: 'remove' } },
    ],
    applies: () => true,
    request: (call) => ({
      method: 'DELETE',
      path: ['admin', 'databases'],
      body: {
        DatabaseNames: [nameOf(call)],
        HardDelete: call.inputs['files'] === 'remove',
        FromNodes: null,
        TimeToWaitForConfirmation: '00:00:15',
      },
      isRaft: true,
    }),
    consequence: (call) =>
      `${named(call)}${howMuch(call.facts)} is deleted on all nodes. ${call.inputs['files'] === 'remove' ? 'Its files are removed.' : 'Its files stay on disk: “Create database” with the same name can take them over, with documents and indexes.'}${isLocked(call.facts) ? ' It is locked: the server will not delete it.' : ''}`,
    loss: (call) =>
      call.inputs['files'] === 'remove'
        ? `All of its data, at once. Only a backup brings it back.${lastBackup(call.facts)}`
        : `Its settings, tasks, identities and compare-exchange values.${lastBackup(call.facts)}`,
    measure: measureDatabase('state and size on disk', 'state', 'size'),
    read: 'that `/databases` has no such database',
    isLong: true,
    onFailure: {
      leaves:
        'The database as it was, where its lock mode refuses. A server that is killed meanwhile may have deleted it, or not.',
    },
    check: (context) =>
      checkDatabase(context, context.call.target.database, async (database) => {
        if (database === null) return { state: 'done', text: 'The database does not exist any more.' }
        if (database.isDeleting) return { state: 'running', text: 'A node has yet to delete it.' }
        const deletedAt = confirmedIndex(context.accepted)
        if (deletedAt !== null)
          return (await readRecordIndex(context, nameOf(context.call))) > deletedAt
            ? {
                state: 'done',
                text: 'The server has confirmed its deletion. A database of this name exists again: another client has created it since.',
              }
            : { state: 'running', text: 'The server has confirmed its deletion, and still lists it.' }
        const { lock } = database
        return {
          state: 'unchanged',
          text:
            lock === null || lock === 'Unlock'
              ? 'The database still exists.'
              : `The database still exists: its lock mode is ${lock}.`,
        }
      }),
  },
]
