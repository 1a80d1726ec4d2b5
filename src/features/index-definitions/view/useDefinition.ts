import { useRef, useState } from 'react'
import { readStored, removeStored, writeStored } from '../../../ui/storage.ts'
import type { DefinitionText } from '../contract.ts'

/** A new index begins with an example that compiles. */
export const NEW_INDEX: DefinitionText = {
  maps: ['from doc in docs.Orders\nselect new\n{\n    doc.Company\n}'],
  reduce: '',
  sources: [],
  options: '{}',
}

interface StoredDraft {
  readonly name: string
  readonly definition: DefinitionText
}

const keyOf = (database: string, index: string): string => `index-draft.${JSON.stringify([database, index])}`

const isText = (value: unknown): value is string => typeof value === 'string'

function readDraft(key: string): StoredDraft | null {
  try {
    const draft = JSON.parse(readStored(key) ?? 'null') as StoredDraft | null
    if (draft === null || !isText(draft.name)) return null
    const { maps, reduce, sources, options } = draft.definition
    const isWhole =
      Array.isArray(maps) &&
      maps.every(isText) &&
      isText(reduce) &&
      isText(options) &&
      Array.isArray(sources) &&
      sources.every(({ name, text }) => isText(name) && isText(text))
    return isWhole ? draft : null
  } catch {
    return null
  }
}

interface DefinitionState extends StoredDraft {
  /** Something was typed that is not saved on the server. */
  readonly isTyped: boolean
  readonly type: (parts: Partial<DefinitionText>) => void
  readonly rename: (name: string) => void
  /** Forgets what was typed. */
  readonly discard: () => void
  /** Forgets what was typed where it is what was saved: anything typed meanwhile stays. */
  readonly settle: (saved: DefinitionText) => void
}

/** A definition as it is typed: kept by the browser until it is saved or discarded. `index` empty: a new one. */
export function useDefinition(database: string, index: string, saved: DefinitionText): DefinitionState {
  const key = keyOf(database, index)
  const [typed, setTyped] = useState(() => readDraft(key))
  const typedRef = useRef(typed)
  const keep = (draft: StoredDraft): void => {
    setTyped(draft)
    typedRef.current = draft
    writeStored(key, JSON.stringify(draft))
  }
  const discard = (): void => {
    removeStored(key)
    setTyped(null)
    typedRef.current = null
  }
  const now = typed ?? { name: index, definition: saved }
  return {
    ...now,
    isTyped: typed !== null,
    type: (parts) => keep({ ...now, definition: { ...now.definition, ...parts } }),
    rename: (name) => keep({ ...now, name }),
    discard,
    settle: (of) => {
      if (typedRef.current?.definition === of) discard()
    },
  }
}
