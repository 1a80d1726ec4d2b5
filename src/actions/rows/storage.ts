import { asArray, asNumber, asObject, orNull, type JsonObject } from '../../base/json/check.ts'
import { formatBytes, formatCount } from '../../base/text/format.ts'
import type { Action, ActionField, ActionRequest, CheckContext, ActionCall, CheckResult, Measure } from '../model.ts'

/* Flush and sync of one storage environment now: an experiment whose effect is seen in the I/O timeline. */

interface Environment {
  readonly name: string
  readonly type: 'Documents' | 'Index'
}

export const environmentOf = ({ target, inputs }: ActionCall): Environment => {
  const index = (inputs['index'] ?? '').trim()
  return index === '' ? { name: target.database ?? '', type: 'Documents' } : { name: index, type: 'Index' }
}

const words = (call: ActionCall): string => {
  const { name, type } = environmentOf(call)
  return type === 'Documents' ? `the documents of “${name}”` : `the index “${name}”`
}

const INDEX: ActionField = {
  name: 'index',
  label: 'Index',
  hint: 'Empty: the documents of the database.',
  optional: true,
}

const requestTo =
  (verb: string) =>
  (call: ActionCall): ActionRequest => ({
    method: 'POST',
    path: ['databases', call.target.database ?? '', 'admin', 'storage', verb],
    query: { ...environmentOf(call) },
    timeoutMs: 300_000,
  })

interface ReadEnvironment {
  /** Transactions that are in journals only. */
  readonly unflushed: number | null
  /** Written to the data file, and not by the operating system to the disk. */
  readonly unsyncedBytes: number | null
}

/** Of the call's environment. Null: not reported. */
async function readEnvironment({ call, read }: Pick<CheckContext, 'call' | 'read'>): Promise<ReadEnvironment> {
  const response = await read('storageEnvironment', { database: call.target.database ?? '', ...environmentOf(call) })
  const report = asObject(asObject(response, '$')['Report'], '$.Report')
  const journals = asObject(report['Journals'], '$.Journals')
  const numberOf = (object: JsonObject, field: string): number | null => orNull(asNumber, object[field], `$.${field}`)
  const flushed = numberOf(journals, 'LastFlushedTransaction')
  const last = (orNull(asArray, journals['Journals'], '$.Journals') ?? [])
    .map((journal, i) => numberOf(asObject(journal, `$.Journals[${i}]`), 'LastTransaction') ?? 0)
    .reduce((newest, transaction) => Math.max(newest, transaction), 0)
  return {
    unflushed: flushed === null ? null : Math.max(0, last - flushed),
    unsyncedBytes: numberOf(journals, 'TotalWrittenButUnsyncedBytes'),
  }
}

/**
 * The server answers when it is over; what it reports afterwards may be of newer writes. It may also have flushed nothing:
 * seen on all versions shortly after a database was created.
 */
async function check(context: CheckContext): Promise<CheckResult> {
  const { call, accepted } = context
  if (call.target.database === null) return { state: 'unknown', text: 'It is not known which database it was.' }
  const { unflushed, unsyncedBytes } = await readEnvironment(context)
  const left =
    unflushed === 0
      ? 'All transactions are in the data file.'
      : `Transactions that are only in the journals: ${unflushed === null ? 'not reported' : formatCount(unflushed)}.`
  const text = `${left} Not synced: ${unsyncedBytes === null ? 'not reported' : formatBytes(unsyncedBytes)}.`
  return { state: accepted === null ? 'unknown' : 'done', text }
}

/** `aim`: which of the two the action is for; a flush leaves more to be synced. */
const measure = (aim: keyof ReadEnvironment): Measure => ({
  what: 'transactions that are only in the journals, and bytes not synced, of the environment',
  read: async (context) => {
    const { unflushed, unsyncedBytes } = await readEnvironment(context)
    const less = (of: keyof ReadEnvironment) => (of === aim ? ({ aim: 'less' } as const) : {})
    return [
      { label: 'Transactions only in journals', unit: 'count', value: unflushed, ...less('unflushed') },
      { label: 'Not synced', unit: 'bytes', value: unsyncedBytes, ...less('unsyncedBytes') },
    ]
  },
})

const COMMON = {
  target: 'database',
  right: 'DatabaseAdmin',
  confirm: 'none',
  fields: [INDEX],
  applies: ({ state }) => state === undefined || state === 'online',
  loss: () => null,
  read: 'transactions in journals and unsynced bytes in `debug/storage/environment/report`',
  check,
} satisfies Partial<Action>

export const STORAGE_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'database.flush',
    title: 'Flush journals',
    done: 'Flushed',
    request: requestTo('manual-flush'),
    measure: measure('unflushed'),
    recorded: { kind: 'io', ioKind: 'DataFlush' },
    consequence: (call) =>
      `The server writes what is only in the journals of ${words(call)} to the data file now. It causes I/O on this node; nothing happens when all is flushed, or where the server cannot flush yet.`,
  },
  {
    ...COMMON,
    id: 'database.sync',
    title: 'Sync data file',
    done: 'Synced',
    request: requestTo('manual-sync'),
    measure: measure('unsyncedBytes'),
    recorded: { kind: 'io', ioKind: 'DataSync' },
    consequence: (call) =>
      `The server has the operating system write the data file of ${words(call)} to disk now, and waits for it. Writes may be slower meanwhile.`,
  },
]
