import { compareNames } from '../../../base/text/compare-names.ts'
import { taskWords, type Operation } from '../../../ravendb/operations-wire.ts'

/** Filter of the list of operations; an empty part excludes nothing. */
export interface OperationFilter {
  /** Name of a database, or `OF_SERVER`. */
  readonly database: string
  /** The server's name of the task: `UpdateByQuery`. */
  readonly task: string
  /** Part of any of its texts; ignores case. */
  readonly find: string
}

export const NO_FILTER: OperationFilter = { database: '', task: '', find: '' }
/** Value for the server itself, which no database can have as its name. */
export const OF_SERVER = '$'

export const isFiltered = ({ database, task, find }: OperationFilter): boolean =>
  database !== '' || task !== '' || find.trim() !== ''

/** Options of the filters: those of the listed operations, and the chosen one even if none has it. */
export function choicesOf(
  operations: readonly Operation[],
  { database, task }: OperationFilter,
): { readonly databases: readonly string[]; readonly tasks: readonly string[] } {
  const sorted = (values: readonly string[]): string[] =>
    [...new Set(values)].filter((value) => value !== '').toSorted(compareNames)
  return {
    databases: sorted([database, ...operations.map((operation) => operation.database ?? OF_SERVER)]),
    tasks: sorted([task, ...operations.map((operation) => operation.task)]),
  }
}

export function filterOperations(operations: readonly Operation[], filter: OperationFilter): readonly Operation[] {
  if (!isFiltered(filter)) return operations
  const words = filter.find.trim().toLowerCase()
  return operations.filter((operation) => {
    const { database, id, task, description, query, text } = operation
    if (filter.database !== '' && (database ?? OF_SERVER) !== filter.database) return false
    if (filter.task !== '' && task !== filter.task) return false
    return [String(id), database ?? '', taskWords(task), description, query ?? '', text].some((part) =>
      part.toLowerCase().includes(words),
    )
  })
}
