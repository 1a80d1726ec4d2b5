import { AS_IT_WAS, type Action, type ActionCall, type Beforehand, type CheckResult } from '../model.ts'
import { checkDatabase } from './database-reading.ts'
import { MEASURE_COLLECTION } from './measures.ts'
import { RESTORE } from './restore.ts'
import { folderLeftOf, isTaken } from './taken-names.ts'

/* Actions on the server as a whole. */

const nameOf = ({ inputs }: ActionCall): string => (inputs['name'] ?? '').trim()

const REFUSE = 'Create nothing'
const TAKE_OVER = 'Take them over, with documents and indexes'
const takesOver = ({ inputs }: ActionCall): boolean => inputs['left'] === TAKE_OVER

/**
 * Why it must not be sent. The server refuses an existing name in any case, but takes over files that were left behind
 * (7.1.5, 6.2.4, 5.4.207).
 */
async function refusal(before: Beforehand): Promise<string | null> {
  const name = nameOf(before.call)
  if (await isTaken(before, name)) return `“${name}” exists already. Choose another name.`
  if (takesOver(before.call)) return null
  const folder = await folderLeftOf(before, name)
  return folder === null
    ? null
    : `Files of that name are left in ${folder}: the new database would take them over. Choose “${TAKE_OVER}” if you want that, or another name.`
}

function collected(accepted: unknown): CheckResult {
  if (typeof accepted !== 'object' || accepted === null)
    return { state: 'unknown', text: 'The response was lost, and the server does not report who had it collect.' }
  const text = (field: string): string => {
    const value = (accepted as Record<string, unknown>)[field]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : 'not reported'
  }
  return {
    state: 'done',
    text: `Managed memory: ${text('BeforeGC')} before, ${text('AfterGC')} after. It took ${text('DurationInMs')} ms.`,
  }
}

export const SERVER_ACTIONS: readonly Action[] = [
  {
    id: 'server.create-database',
    target: 'server',
    title: 'Create database',
    done: 'Database created',
    right: 'Operator',
    confirm: 'confirm',
    makes: { field: 'name', title: (name) => `Create database “${name}”` },
    fields: [
      { name: 'name', label: 'Name', hint: 'Letters, digits, “_”, “-” and “.”.' },
      { name: 'left', label: 'If files of a deleted database of this name are left', choices: [REFUSE, TAKE_OVER] },
    ],
    applies: () => true,
    request: (call) => {
      const name = nameOf(call)
      return {
        method: 'PUT',
        path: ['admin', 'databases'],
        query: { name, replicationFactor: '1' },
        body: { DatabaseName: name, Settings: {} },
        isRaft: true,
      }
    },
    refuses: {
      where:
        'a database has that name, in whatever case, or this node has files of that name that are not to be taken over',
      read: refusal,
    },
    consequence: (call) =>
      `A database with default settings is created on one node. ${takesOver(call) ? 'Where files of a deleted database of this name are left, its documents and indexes come back.' : 'It is empty, unless another node of the cluster creates it and has files of this name.'}`,
    loss: () => null,
    read: 'that `/databases` has it',
    onFailure: {
      leaves: 'Where its folder cannot be used, a database that is listed and cannot be loaded: delete it.',
    },
    check: (context) =>
      checkDatabase(context, nameOf(context.call), (database) =>
        database === null
          ? { state: 'unchanged', text: `The server has no database “${nameOf(context.call)}”.` }
          : { state: 'done', text: `The server has the database “${nameOf(context.call)}”.` },
      ),
  },
  RESTORE,
  {
    id: 'server.gc',
    target: 'server',
    title: 'Collect garbage',
    done: 'Garbage collected',
    right: 'Operator',
    confirm: 'confirm',
    applies: () => true,
    request: () => ({ method: 'GET', path: ['admin', 'memory', 'gc'], timeoutMs: 300_000 }),
    consequence: () =>
      'The server runs a full, compacting garbage collection. It stops all threads meanwhile: some tenths of a second with a small heap, seconds with a large one.',
    loss: () => null,
    read: 'what the server answers when it is done',
    measure: MEASURE_COLLECTION,
    onFailure: AS_IT_WAS,
    check: ({ accepted }) => Promise.resolve(collected(accepted)),
  },
]
