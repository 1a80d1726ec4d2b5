import { asArray, asNumber, asObject, asString, orNull, type JsonObject } from '../base/json/check.ts'
import { formatCount, formatPlural } from '../base/text/format.ts'
import { parseTicks, type Ticks } from '../base/ticks.ts'
import { innermostCause } from './errors/innermost-cause.ts'

/** State of an operation, as reported by the server: `InProgress`, `Completed`, `Faulted`, `Canceled`. */
export interface OperationState {
  readonly status: string
  readonly progress: JsonObject | null
  readonly result: JsonObject | null
}

/** A long operation as the server lists or pushes it, started by any client. */
export interface Operation {
  /** Database of the operation; null: the server itself, as for a compaction or a restore. */
  readonly database: string | null
  /** Unique within the database or the server until it restarts. */
  readonly id: number
  /** `UpdateByQuery`, `DatabaseExport`, …; empty: not reported. */
  readonly task: string
  /** Description in the server's words. */
  readonly description: string
  /** Query of a patch or delete by query; null: none. At most 2,000 characters. */
  readonly query: string | null
  readonly startTicks: Ticks | null
  readonly endTicks: Ticks | null
  readonly isKillable: boolean
  readonly status: string
  /** Progress or result in a sentence. */
  readonly text: string
  /** Progress, 0 to 1; null: not known, or it has ended. */
  readonly share: number | null
  readonly processed: number | null
  readonly total: number | null
  /** Batches that a bulk insert has sent; null: not a bulk insert, or it has ended. */
  readonly batches: number | null
}

const MOST_CHARACTERS = 300
const MOST_QUERY = 2000

export const isRunning = ({ status }: Pick<Operation, 'status'>): boolean => status === 'InProgress'

/** Errors: `ParseError`. */
export function readOperationState(response: unknown): OperationState {
  const body = asObject(response, '$')
  return {
    status: asString(body['Status'], '$.Status'),
    progress: orNull(asObject, body['Progress'], '$.Progress'),
    result: orNull(asObject, body['Result'], '$.Result'),
  }
}

const textOf = (object: JsonObject | null, field: string): string | null => {
  const value = object?.[field]
  return typeof value === 'string' && value !== '' ? value.slice(0, MOST_CHARACTERS) : null
}

const countOf = (object: JsonObject | null, field: string): number | null => {
  const value = object?.[field]
  return typeof value === 'number' ? value : null
}

/** Why an operation failed, without the stack. */
export const faultOf = ({ result }: OperationState): string =>
  innermostCause(typeof result?.['Error'] === 'string' ? result['Error'] : null) ??
  textOf(result, 'Message') ??
  'The server reports no reason.'

/** Progress, 0 to 1, if the server reports a total; null otherwise. Steps of a compaction are no share of it. */
export function shareOf({ progress }: Pick<OperationState, 'progress'>): number | null {
  const processed = countOf(progress, 'Processed')
  const total = countOf(progress, 'Total')
  return processed === null || total === null || total <= 0 ? null : Math.min(1, processed / total)
}

/** Documents that an export, import, backup or restore has read; null: another operation. */
function documentsRead(part: JsonObject | null): number | null {
  const documents = part?.['Documents']
  return typeof documents === 'object' && documents !== null ? countOf(documents as JsonObject, 'ReadCount') : null
}

export function progressWords({ progress }: Pick<OperationState, 'progress'>): string {
  const processed = countOf(progress, 'Processed') ?? countOf(progress, 'Total')
  const message = textOf(progress, 'Message')
  if (message !== null) return message
  if (shareOf({ progress }) !== null)
    return `${formatCount(processed ?? 0)} of ${formatCount(countOf(progress, 'Total') ?? 0)} processed.`
  const batches = countOf(progress, 'BatchCount')
  if (batches !== null && processed !== null)
    return `${formatPlural(processed, 'item')} in ${formatPlural(batches, 'batch', 'batches')}.`
  const read = documentsRead(progress)
  if (read !== null) return `${formatPlural(read, 'document')} read.`
  return processed === null ? 'It is running.' : `${formatCount(processed)} processed.`
}

function stateWords(state: OperationState): string {
  switch (state.status) {
    case 'InProgress':
      return progressWords(state)
    case 'Faulted':
      return faultOf(state)
    case 'Canceled':
      return 'It was cancelled.'
    default: {
      const read = documentsRead(state.result)
      return (
        textOf(state.result, 'Message') ??
        (read === null ? 'It is complete.' : `${formatPlural(read, 'document')} read.`)
      )
    }
  }
}

/** The operation with a state that was read later. */
export function withState(operation: Operation, state: OperationState): Operation {
  const isOver = !isRunning(state)
  const batches = countOf(state.progress, 'BatchCount')
  return {
    ...operation,
    status: state.status,
    text: stateWords(state),
    share: isOver ? null : shareOf(state),
    // The total of a bulk insert is what it has sent so far.
    processed: isOver
      ? countOf(state.result, 'Total')
      : countOf(state.progress, batches === null ? 'Processed' : 'Total'),
    total: batches === null ? countOf(state.progress, 'Total') : null,
    batches: isOver ? null : batches,
  }
}

function operationOf(
  described: JsonObject,
  parts: Pick<Operation, 'database' | 'id' | 'description' | 'isKillable'>,
  state: OperationState,
  path: string,
): Operation {
  const moment = (field: string): Ticks | null => {
    const ticks = parseTicks(orNull(asString, described[field], `${path}.${field}`) ?? '')
    return Number.isNaN(ticks) ? null : ticks
  }
  const details = orNull(asObject, described['DetailedDescription'], `${path}.DetailedDescription`)
  const query = details?.['Query']
  return withState(
    {
      ...parts,
      task: textOf(described, 'TaskType') ?? '',
      query: typeof query === 'string' ? query.slice(0, MOST_QUERY) : null,
      startTicks: moment('StartTime'),
      endTicks: moment('EndTime'),
      status: '',
      text: '',
      share: null,
      processed: null,
      total: null,
      batches: null,
    },
    state,
  )
}

/** Reads `operations` of a database. Errors: `ParseError`. */
export const readOperations = (response: unknown, database: string): Operation[] =>
  asArray(asObject(response, '$')['Results'], '$.Results').map((item, row) => {
    const path = `$.Results[${row}]`
    const entry = asObject(item, path)
    const described = asObject(entry['Description'], `${path}.Description`)
    return operationOf(
      described,
      {
        database,
        id: asNumber(entry['Id'], `${path}.Id`),
        description: textOf(described, 'Description') ?? '',
        isKillable: entry['Killable'] === true,
      },
      readOperationState(entry['State']),
      `${path}.Description`,
    )
  })

/** Reads a frame `OperationChanged` of a notification center. Errors: `ParseError`. */
export const readOperationChanged = (frame: JsonObject): Operation =>
  operationOf(
    frame,
    {
      database: orNull(asString, frame['Database'], '$.Database'),
      id: asNumber(frame['OperationId'], '$.OperationId'),
      description: textOf(frame, 'Message') ?? textOf(frame, 'Title') ?? '',
      isKillable: frame['Killable'] === true,
    },
    readOperationState(frame['State']),
    '$',
  )

/** Sorts newest first; operations without a start come last. */
export const newestFirst = (operations: readonly Operation[]): Operation[] =>
  operations.toSorted((a, b) => (b.startTicks ?? 0) - (a.startTicks ?? 0))

const TASKS: Readonly<Record<string, string>> = {
  UpdateByQuery: 'Patch by query',
  DeleteByQuery: 'Delete by query',
  UpdateByCollection: 'Patch of a collection',
  DeleteByCollection: 'Delete of a collection',
  DatabaseExport: 'Export',
  DatabaseImport: 'Import',
  DatabaseImportFromRavenDb: 'Import from RavenDB',
  DatabaseBackup: 'Backup',
  DatabaseRestore: 'Restore',
  DatabaseCompact: 'Compaction',
  DatabaseRevert: 'Revert of revisions',
  EnforceRevisionConfiguration: 'Enforcement of revisions',
  BulkInsert: 'Bulk insert',
  LuceneOptimizeIndex: 'Optimization of an index',
  DumpRawIndexData: 'Dump of an index',
}

/** `UpdateByQuery` → `Patch by query`; the server's own word if there is no other. */
export const taskWords = (task: string): string =>
  Object.hasOwn(TASKS, task)
    ? (TASKS[task] ?? task)
    : task === ''
      ? 'Operation'
      : task
          .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
          .replace(/^(.)(.*)$/, (_, first: string, rest: string) => first + rest.toLowerCase())
