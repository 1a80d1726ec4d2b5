import { asArray, asObject } from '../../base/json/check.ts'
import { formatBytes, formatPlural } from '../../base/text/format.ts'
import { RavenError } from '../../ravendb/errors/errors.ts'
import { AS_IT_WAS, type Action, type ActionCall, type CheckContext, type CheckResult } from '../model.ts'
import { checkReading, readIndexes, REPLACEMENT_OF } from './index-reading.ts'

/* Saving the definition of an index. It goes along as the payload; the panel Indexes makes it. */

/** Maps and reduce, by which a definition is recognised. */
export const definitionKey = (maps: readonly string[], reduce: string | null): string => {
  let hash = 0
  for (const unit of JSON.stringify([maps, reduce ?? ''])) hash = (Math.imul(hash, 31) + (unit.codePointAt(0) ?? 0)) | 0
  return (hash >>> 0).toString(16)
}

/** Key of the server's definition; null: no index with that name. */
async function keyOf({ read }: CheckContext, database: string, name: string): Promise<string | null> {
  const response = await read('indexDefinition', { database, name }).catch((error: unknown) => {
    if (error instanceof RavenError && error.status === 404 && error.kind !== 'database-missing') return { Results: [] }
    throw error
  })
  const [first] = asArray(asObject(response, '$')['Results'], '$.Results')
  if (first === undefined) return null
  const definition = asObject(first, '$.Results[0]')
  const { Reduce: reduce } = definition
  return definitionKey(asArray(definition['Maps'], '$.Maps').map(String), typeof reduce === 'string' ? reduce : null)
}

const checkSaved = (context: CheckContext): Promise<CheckResult> =>
  checkReading(context, async (database) => {
    const name = context.call.target.name ?? ''
    const wanted = context.call.inputs['definition'] ?? ''
    const all = readIndexes(await context.read('indexesStats', { database }))
    const replacement = all.get((REPLACEMENT_OF + name).toLowerCase())
    if (replacement !== undefined)
      return {
        state: 'running',
        text: `The new definition is built beside the old one, and has ${formatPlural(replacement.entries ?? 0, 'entry', 'entries')} so far.`,
      }
    const index = all.get(name.toLowerCase())
    if (index === undefined) return { state: 'unchanged', text: 'There is no index of that name.' }
    if ((await keyOf(context, database, name)) !== wanted)
      return {
        state: 'unchanged',
        text:
          index.lock !== null && index.lock !== 'Unlock'
            ? `The index has its old definition: its lock mode is ${index.lock}.`
            : 'The index has another definition than the one that was sent.',
      }
    const entries = formatPlural(index.entries ?? 0, 'entry', 'entries')
    return {
      state: 'done',
      text: index.isStale ? `It is saved, and indexing: ${entries} so far.` : `It is saved, with ${entries}.`,
    }
  })

const sizeOf = ({ inputs }: ActionCall): string => {
  const bytes = Number(inputs['bytes'] ?? Number.NaN)
  return Number.isFinite(bytes) ? ` (${formatBytes(bytes)})` : ''
}

const SAVE = {
  target: 'index',
  title: 'Save index',
  done: 'Index saved',
  // The panel shows the difference first.
  confirm: 'none',
  isLong: true,
  payload: 'the definition of the index',
  applies: (_, inputs) => (inputs['definition'] ?? '') !== '',
  consequence: (call) =>
    call.inputs['isNew'] === 'yes'
      ? `The server creates “${call.target.name ?? ''}” on all nodes, and indexes the documents that its maps read${call.facts.documents === undefined ? '' : `: ${formatPlural(call.facts.documents, 'document')}`}.`
      : `“${call.target.name ?? ''}” gets this definition${sizeOf(call)}. Where it changes what is indexed, the server builds it beside the old one, which answers until then.`,
  loss: (call) =>
    call.inputs['isNew'] === 'yes' ? null : 'The old definition; the server keeps some versions of it in its history.',
  read: 'its definition, and `ReplacementOf/…` in `indexes/stats`',
  onFailure: AS_IT_WAS,
  check: checkSaved,
} satisfies Partial<Action>

const pathOf = ({ target }: ActionCall, ...rest: string[]): readonly string[] => [
  'databases',
  target.database ?? '',
  ...rest,
]

export const DEFINITION_ACTIONS: readonly Action[] = [
  {
    ...SAVE,
    id: 'index.save',
    right: 'DatabaseAdmin',
    request: (call) => ({ method: 'PUT', path: pathOf(call, 'admin', 'indexes') }),
  },
  {
    ...SAVE,
    id: 'index.save-script',
    right: 'DatabaseWrite',
    request: (call) => ({ method: 'PUT', path: pathOf(call, 'indexes') }),
  },
]
