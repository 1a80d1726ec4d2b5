import { formatPlural } from '../../base/text/format.ts'
import type { Action, ActionCall, BegunOperation } from '../model.ts'
import { checkOperation } from './lost-operation.ts'
import { isOfClass } from './operation-reading.ts'
import { documentsRead } from './smuggler.ts'

const input = ({ inputs }: ActionCall, name: string): string => (inputs[name] ?? '').trim()

/** The folder that a file of the server is in, whichever system it runs on. */
const folderOf = (file: string): string => file.replace(/[\\/][^\\/]*$/, '')

const OPERATION: BegunOperation = {
  of: 'server',
  task: 'DatabaseRestore',
  describe: (call) => `Database restore: ${input(call, 'name')}`,
  // Of which database it does not report; the server reports all restores when it is listened to again.
  isIt: (state) => (isOfClass(state, '.Restore') === false ? false : null),
}

const DISABLED = 'Disabled'
const AS_THEY_WERE = 'As they were'

/** A backup in a folder of the server becomes a new database; it never overwrites one. */
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
    { name: 'name', label: 'New database', hint: 'Letters, digits, “_”, “-” and “.”. It must not exist yet.' },
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
  consequence: (call) =>
    `The backup becomes a new database; no database is overwritten. It takes disk space of the server, and its indexes are rebuilt unless it is a snapshot.${input(call, 'tasks') === AS_THEY_WERE ? ' Its ongoing tasks start at once, also where the original still runs them.' : ' Its ongoing tasks stay disabled.'}`,
  loss: () => null,
  read: 'the state of the operation, in `/operations/state`; where the response is lost, it is looked for in notifications and by its number',
  isLong: true,
  operation: OPERATION,
  check: (context) =>
    checkOperation(context, OPERATION, ({ result }) => {
      const documents = documentsRead(result)
      return `“${input(context.call, 'name')}” is restored${documents === null ? '' : `, with ${formatPlural(documents, 'document')}`}.`
    }),
}
