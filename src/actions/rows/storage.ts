import { asArray, asObject, orNull, unlessNegative, type JsonObject } from '../../base/json/check.ts'
import { formatBytes, formatCount } from '../../base/text/format.ts'
import type { Figure } from '../figures.ts'
import { checkReading } from './index-reading.ts'
import {
  AS_IT_WAS,
  type Action,
  type ActionField,
  type ActionRequest,
  type CheckContext,
  type ActionCall,
  type CheckResult,
  type Measure,
} from '../model.ts'

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
  /** The newest transaction that is in the data file. */
  readonly flushed: number | null
  /** Number of transactions that are only in journals. */
  readonly unflushed: number | null
  /** Bytes written to the data file but not yet synced by the operating system. */
  readonly unsyncedBytes: number | null
}

/** Figures of the call's environment; null: not reported. */
async function readEnvironment({ call, read }: Pick<CheckContext, 'call' | 'read'>): Promise<ReadEnvironment> {
  const response = await read('storageEnvironment', { database: call.target.database ?? '', ...environmentOf(call) })
  const report = asObject(asObject(response, '$')['Report'], '$.Report')
  const journals = asObject(report['Journals'], '$.Journals')
  const numberOf = (object: JsonObject, field: string): number | null => unlessNegative(object[field], `$.${field}`)
  const flushed = numberOf(journals, 'LastFlushedTransaction')
  const last = (orNull(asArray, journals['Journals'], '$.Journals') ?? [])
    .map((journal, i) => numberOf(asObject(journal, `$.Journals[${i}]`), 'LastTransaction') ?? 0)
    .reduce((newest, transaction) => Math.max(newest, transaction), 0)
  return {
    flushed,
    unflushed: flushed === null ? null : Math.max(0, last - flushed),
    unsyncedBytes: numberOf(journals, 'TotalWrittenButUnsyncedBytes'),
  }
}

/** Figure that an action is to reduce. */
type Aim = 'unflushed' | 'unsyncedBytes'

const FLUSHED = 'Last flushed transaction'
const NOT_SYNCED = 'Not synced'

const before = (context: CheckContext, label: string): Figure['value'] =>
  context.before?.find((figure) => figure.label === label)?.value ?? null

/**
 * The request only wakes the server's flusher. It flushes an environment with little waiting data once in 30 s, and
 * syncs soon after. What it reports later may include newer writes; which journal was synced is not reported.
 */
const check =
  (aim: Aim) =>
  (context: CheckContext): Promise<CheckResult> =>
    checkReading(context, () => checkEnvironment(context, aim))

async function checkEnvironment(context: CheckContext, aim: Aim): Promise<CheckResult> {
  const { accepted } = context
  const { flushed, unflushed, unsyncedBytes } = await readEnvironment(context)
  const left =
    unflushed === 0
      ? 'All transactions are in the data file.'
      : `Transactions that are only in the journals: ${unflushed === null ? 'not reported' : formatCount(unflushed)}.`
  const text = `${left} Not synced: ${unsyncedBytes === null ? 'not reported' : formatBytes(unsyncedBytes)}.`
  if (accepted === null) return { state: 'unknown', text }
  const [flushedBefore, unsyncedBefore] = [before(context, FLUSHED), before(context, NOT_SYNCED)]
  const isKnown = flushed !== null && flushedBefore !== null
  if (!isKnown || (aim === 'unsyncedBytes' && (unsyncedBytes === null || unsyncedBefore === null)))
    return { state: 'unknown', isLast: true, text: `Whether it did anything is not known. ${text}` }
  if (flushedBefore !== flushed) return { state: 'done', text }
  if (aim === 'unflushed') return { state: 'unchanged', text }
  // Data flushed in the meantime would still have to be synced.
  if (unsyncedBefore === 0) return { state: 'unchanged', isLast: true, text }
  return { state: Number(unsyncedBytes) < Number(unsyncedBefore) ? 'done' : 'unchanged', text }
}

/** A flush increases the amount that waits for a sync. */
const measure = (aim: Aim): Measure => ({
  what: 'last flushed transaction, transactions that are only in the journals, and bytes not synced, of the environment',
  read: async (context) => {
    const { flushed, unflushed, unsyncedBytes } = await readEnvironment(context)
    const less = (of: Aim) => (of === aim ? ({ aim: 'less' } as const) : {})
    return [
      { label: FLUSHED, unit: 'count', value: flushed },
      { label: 'Transactions only in journals', unit: 'count', value: unflushed, ...less('unflushed') },
      { label: NOT_SYNCED, unit: 'bytes', value: unsyncedBytes, ...less('unsyncedBytes') },
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
  settleMs: 15_000,
  read: 'transactions in journals and unsynced bytes in `debug/storage/environment/report`',
} satisfies Partial<Action>

export const STORAGE_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'database.flush',
    title: 'Flush journals',
    done: 'Flushed',
    request: requestTo('manual-flush'),
    onFailure: AS_IT_WAS,
    check: check('unflushed'),
    measure: measure('unflushed'),
    recorded: { kind: 'io', ioKind: 'DataFlush' },
    consequence: (call) =>
      `Asks the server to write what is only in the journals of ${words(call)} to the data file. It does so where its last flush is 30 s ago (Storage.TimeToSyncAfterFlushInSec) or much waits, and nothing otherwise. It causes I/O on this node.`,
  },
  {
    ...COMMON,
    id: 'database.sync',
    title: 'Sync data file',
    done: 'Synced',
    request: requestTo('manual-sync'),
    onFailure: AS_IT_WAS,
    check: check('unsyncedBytes'),
    measure: measure('unsyncedBytes'),
    recorded: { kind: 'io', ioKind: 'DataSync' },
    consequence: (call) =>
      `Asks the server to have what is flushed of ${words(call)} written to disk. Writes may be slower meanwhile.`,
  },
]
