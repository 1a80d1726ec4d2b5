import { useState } from 'react'
import { readStored, writeStored } from '../../../../ui/storage.ts'

/** Fields of a collection that are shown at first. */
const FIRST = 6
/** The first collections that columns were chosen for are forgotten beyond so many. */
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
  /** Columns that the user chose; null: none, so that the first fields of the first documents are shown. */
  readonly chosen: readonly string[] | null
  readonly choose: (fields: readonly string[] | null) => void
}

/** Columns that were chosen for a collection of a database; this browser remembers them. */
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
