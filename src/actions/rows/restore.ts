import { formatPlural } from '../../base/text/format.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import { offers } from '../../ravendb/versions.ts'
import type { Action, ActionCall, Beforehand, BegunOperation } from '../model.ts'
import { checkDatabase } from './database-reading.ts'
import { checkOperation } from './lost-operation.ts'
import { isOfClass } from './operation-reading.ts'
import { documentsRead } from './smuggler.ts'
import { isTaken } from './taken-names.ts'

const input = ({ inputs }: ActionCall, name: string): string => (inputs[name] ?? '').trim()

/** Folder of a file of the server, on any operating system. */
const folderOf = (file: string): string => file.replace(/[\\/][^\\/]*$/, '')

const OPERATION: BegunOperation = {
  of: 'server',
  task: 'DatabaseRestore',
  describe: (call) => `Database restore: ${input(call, 'name')}`,
  // The state does not contain the database; the server reports all restores when its notifications are read again.
  isIt: (state) => (isOfClass(state, '.Restore') === false ? false : null),
}

/** `2026-11-26-19-04-41.ravendb-full-backup`, `….ravendb-snapshot`, `….ravendb-encrypted-incremental-backup` */
const IS_BACKUP = /\.ravendb-[a-z-]*(?:backup|snapshot)$/i

const DISABLED = 'Disabled'
const AS_THEY_WERE = 'As they were'

/** Key of a path of any operating system, also with doubled slashes. */
const key = (file: string): string => file.replaceAll(/[\\/]+/g, '/').toLowerCase()

/**
 * Why it must not be sent. Given an existing name, 7.1.5 and 6.2.4 accept the request, fail, and delete that database
 * with its files; 5.4.207 refuses. Given a file that does not exist, all three restore every backup in its folder.
 */
async function refusal(before: Beforehand): Promise<string | null> {
  const { call, version, backups } = before
  const [name, file] = [input(call, 'name'), input(call, 'file')]
  if (await isTaken(before, name))
    return offers(version, [6, 0])
      ? `“${name}” exists: the server would delete it. Choose another name.`
      : `“${name}” exists: the server refuses. Choose another name.`
  if (file === '') return null
  if (!IS_BACKUP.test(file)) return `“${file}” is no backup file: find the backups in this folder, and choose one.`
  const folder = folderOf(file)
  const known = await backups(folder).catch((error: unknown) => {
    if (error instanceof RavenError && error.serverMessage !== null) return error.serverMessage
    throw error
  })
  if (typeof known === 'string') return `No backup can be read in “${folder}”: ${known}`
  return known.some((each) => key(each) === key(file))
    ? null
    : `The server finds no backup file “${file}”, and would restore whatever else is in its folder.`
}

/** Restores a backup in a folder of the server as a new database. */
export const RESTORE: Action = {
  id: 'server.restore-database',
  target: 'server',
  title: 'Restore a backup',
  done: 'Restored',
  right: 'Operator',
  confirm: 'confirm',
  makes: { field: 'name', title: (name) => `Restore a backup as “${name}”` },
  fields: [
    {
      name: 'file',
      label: 'Backup file on the server',
      input: 'backup',
      hint: 'Type a folder of the server and find the backups in it, or type the full path of a backup file.',
    },
    {
      name: 'name',
      label: 'New database',
      hint: 'Letters, digits, “_”, “-” and “.”. No database may have this name yet.',
    },
    { name: 'tasks', label: 'Ongoing tasks', choices: [DISABLED, AS_THEY_WERE] },
  ],
  applies: () => true,
  request: (call) => ({
    method: 'POST',
    path: ['admin', 'restore', 'database'],
    body: {
      Type: 'Local',
      DatabaseName: input(call, 'name'),
      BackupLocation: folderOf(input(call, 'file')),
      LastFileNameToRestore: input(call, 'file'),
      DisableOngoingTasks: input(call, 'tasks') !== AS_THEY_WERE,
      SkipIndexes: false,
    },
  }),
  refuses: {
    where: 'a database has that name, in whatever case, or the server finds no such backup file',
    read: refusal,
  },
  consequence: (call) =>
    `The backup becomes a new database, under a name that no database has. It takes disk space of the server, and its indexes are rebuilt unless it is a snapshot.${input(call, 'tasks') === AS_THEY_WERE ? ' Its ongoing tasks start at once, also where the original still runs them.' : ' Its ongoing tasks stay disabled.'}`,
  loss: () => null,
  read: 'the state of the operation, in `/operations/state`; where the response is lost, it is looked for in notifications and by its number',
  isLong: true,
  operation: OPERATION,
  onFailure: {
    leaves:
      'A folder with a part of the files, which is not listed and not used again: the next restore of that name makes another. After a server was killed, also a database that is listed as being restored (6.2.4, 5.4.207): delete it.',
    loses: (version) =>
      offers(version, [6, 0])
        ? 'A database that another client creates under this name at the same time: the server deletes it with its files.'
        : null,
  },
  check: async (context) => {
    const name = input(context.call, 'name')
    const result = await checkOperation(context, OPERATION, ({ result: restored }) => {
      const documents = documentsRead(restored)
      return `“${name}” is restored${documents === null ? '' : `, with ${formatPlural(documents, 'document')}`}.`
    })
    if (result.state !== 'unknown' || result.isLast !== true) return result
    // A second restore of the name deletes what the first one created: only whether the database exists can be read.
    return checkDatabase(context, name, (database) => ({
      ...result,
      text: `${result.text} ${database === null ? `There is no database “${name}” now.` : `There is a database “${name}” now.`}`,
    }))
  },
}
