import type { Action, ActionCall, CheckResult } from '../model.ts'
import { checkDatabase } from './database-reading.ts'
import { MEASURE_COLLECTION } from './measures.ts'
import { RESTORE } from './restore.ts'

/* What can be done to the server as a whole. */

const nameOf = ({ inputs }: ActionCall): string => (inputs['name'] ?? '').trim()

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
    fields: [{ name: 'name', label: 'Name', hint: 'Letters, digits, “_”, “-” and “.”.' }],
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
    consequence: () =>
      'An empty database with default settings is created on one node. Where files of a deleted database of this name are left, its documents come back.',
    loss: () => null,
    read: 'that `/databases` has it',
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
    check: ({ accepted }) => Promise.resolve(collected(accepted)),
  },
]
