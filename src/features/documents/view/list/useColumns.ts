import { useState } from 'react'
import { readStored, writeStored } from '../../../../ui/storage.ts'

/** Number of fields of a collection that are shown by default. */
const FIRST = 6
/** Maximum number of collections whose columns are kept; beyond it, the oldest choice is dropped. */
const MOST_KEPT = 200
const KEY = 'documents.columns'

type Kept = Readonly<Record<string, readonly string[]>>

function readKept(): Kept {
  try {
    const kept: unknown = JSON.parse(readStored(KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Kept) : {}
  } catch {
    return {}
  }
}

interface Columns {
  /** Columns that the user chose; null: the default, the first fields of the first documents. */
  readonly chosen: readonly string[] | null
  readonly choose: (fields: readonly string[] | null) => void
}

/** Columns that the user chose for a collection of a database, kept in this browser. */
export function useColumns(database: string, collection: string | null): Columns {
  const key = JSON.stringify([database.toLowerCase(), collection ?? ''])
  const [kept, setKept] = useState(readKept)
  const found = kept[key]
  return {
    chosen: Array.isArray(found) ? found : null,
    choose: (fields) => {
      const { [key]: _, ...others } = readKept()
      const all = Object.entries(fields === null ? others : { ...others, [key]: fields })
      const next = Object.fromEntries(all.slice(-MOST_KEPT))
      writeStored(KEY, JSON.stringify(next))
      setKept(next)
    },
  }
}

export const firstColumns = (fields: readonly string[]): readonly string[] => fields.slice(0, FIRST)
