type Row = Readonly<Record<string, string>>

export interface NoticeTable {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** Rows that are left out. */
  readonly more: number
}

const MOST_ROWS = 50
const MOST_CHARACTERS = 400

/**
 * The details of a performance hint as a table: documents by id, writes by file, or lists of requests by kind. Null: they
 * have no such form, or were cut.
 */
export function noticeTable(text: string): NoticeTable | null {
  const rows = rowsOf(parsed(text), 0)
  if (rows.length === 0) return null
  return {
    columns: [...new Set(rows.slice(0, MOST_ROWS).flatMap((row) => Object.keys(row)))],
    rows: rows.slice(0, MOST_ROWS),
    more: Math.max(0, rows.length - MOST_ROWS),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What is deeper than the details of any hint is no table. */
const DEEPEST = 3

function rowsOf(value: unknown, depth: number): readonly Row[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  if (depth > 0 && !Array.isArray(value) && isFlat(value)) return [flat(value)]
  return Object.values(value).flatMap((part) => rowsOf(part, depth + 1))
}

const isFlat = (value: object): boolean => {
  const parts: unknown[] = Object.values(value)
  return parts.length > 1 && parts.every((part) => typeof part !== 'object' || part === null)
}

const flat = (value: object): Row =>
  Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      spaced(name),
      typeof part === 'number' ? part.toLocaleString('en-US') : String(part ?? '').slice(0, MOST_CHARACTERS),
    ]),
  )

/** `NumberOfResults` → `Number of results`. */
const spaced = (name: string): string => {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.slice(0, 1) + words.slice(1).toLowerCase()
}
