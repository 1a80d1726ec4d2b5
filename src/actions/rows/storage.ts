import { asArray, asNumber, asObject, orNull } from '../../base/json/check.ts'
import { formatBytes } from '../../base/text/format.ts'
import type { Action, ActionField, ActionRequest, CheckContext, ActionCall, CheckResult } from '../model.ts'

/* Flush and sync of one storage environment now: an experiment whose effect is seen in the I/O timeline. */

interface Environment {
  readonly name: string
  readonly type: 'Documents' | 'Index'
}

const environmentOf = ({ target, inputs }: ActionCall): Environment => {
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

/** The server answers when it has done it; what it reports afterwards may be of newer writes. */
async function check({ call, accepted, read }: CheckContext): Promise<CheckResult> {
  const { database } = call.target
  if (database === null) return { state: 'unknown', text: 'It is not known which database it was.' }
  const response = await read('storageEnvironment', { database, ...environmentOf(call) })
  const report = asObject(asObject(response, '$')['Report'], '$.Report')
  const journals = asObject(report['Journals'], '$.Journals')
  const unsynced = orNull(asNumber, journals['TotalWrittenButUnsyncedBytes'], '$.TotalWrittenButUnsyncedBytes')
  const waiting = (orNull(asArray, journals['Journals'], '$.Journals') ?? []).filter(
    (journal, i) => asObject(journal, `$.Journals[${i}]`)['Flushed'] !== true,
  ).length
  const text = `Journals not flushed wholly: ${waiting}. Not synced: ${unsynced === null ? 'not reported' : formatBytes(unsynced)}.`
  return { state: accepted === null ? 'unknown' : 'done', text }
}

const COMMON = {
  target: 'database',
  right: 'DatabaseAdmin',
  confirm: 'none',
  fields: [INDEX],
  applies: ({ state }) => state === undefined || state === 'online',
  loss: () => null,
  read: 'journals and unsynced bytes in `debug/storage/environment/report`',
  check,
} satisfies Partial<Action>

export const STORAGE_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'database.flush',
    title: 'Flush journals',
    done: 'Flushed',
    request: requestTo('manual-flush'),
    consequence: (call) =>
      `The server writes what is only in the journals of ${words(call)} to the data file now. It causes I/O on this node; nothing happens when all is flushed.`,
  },
  {
    ...COMMON,
    id: 'database.sync',
    title: 'Sync data file',
    done: 'Synced',
    request: requestTo('manual-sync'),
    consequence: (call) =>
      `The server has the operating system write the data file of ${words(call)} to disk now, and waits for it. Writes may be slower meanwhile.`,
  },
]
