import { asArray, asNumber, asObject, orNull } from '../../base/json/check.ts'
import { formatBytes } from '../../base/text/format.ts'
import type { Action, ActionField, ActionRequest, CheckContext, Deed, Finding } from '../model.ts'

/* Flush and sync of one storage environment now: an experiment whose effect is seen in the I/O timeline. */

interface Environment {
  readonly name: string
  readonly type: 'Documents' | 'Index'
}

const environmentOf = ({ target, inputs }: Deed): Environment => {
  const index = (inputs['index'] ?? '').trim()
  return index === '' ? { name: target.database ?? '', type: 'Documents' } : { name: index, type: 'Index' }
}

const words = (deed: Deed): string => {
  const { name, type } = environmentOf(deed)
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
  (deed: Deed): ActionRequest => ({
    method: 'POST',
    path: ['databases', deed.target.database ?? '', 'admin', 'storage', verb],
    query: { ...environmentOf(deed) },
    timeoutMs: 300_000,
  })

/** The server answers when it has done it; what it reports afterwards may be of newer writes. */
async function check({ deed, accepted, read }: CheckContext): Promise<Finding> {
  const { database } = deed.target
  if (database === null) return { state: 'unknown', text: 'It is not known which database it was.' }
  const answer = await read('storageEnvironment', { database, ...environmentOf(deed) })
  const report = asObject(asObject(answer, '$')['Report'], '$.Report')
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
    consequence: (deed) =>
      `The server writes what is only in the journals of ${words(deed)} to the data file now. It causes I/O on this node; nothing happens when all is flushed.`,
  },
  {
    ...COMMON,
    id: 'database.sync',
    title: 'Sync data file',
    done: 'Synced',
    request: requestTo('manual-sync'),
    consequence: (deed) =>
      `The server has the operating system write the data file of ${words(deed)} to disk now, and waits for it. Writes may be slower meanwhile.`,
  },
]
