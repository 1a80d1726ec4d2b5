import { useRef, useState } from 'react'
import { readStored, removeStored, writeStored } from '../../../ui/storage.ts'
import type { DefinitionText } from '../contract.ts'
import { wholeText } from '../definition-text.ts'

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
  /** Definition of the server that it began from; null: of a new index, or not kept. */
  readonly base: DefinitionText | null
}

const keyOf = (database: string, index: string): string => `index-draft.${JSON.stringify([database, index])}`

const isText = (value: unknown): value is string => typeof value === 'string'

function isDefinition({ maps, reduce, sources, options }: DefinitionText): boolean {
  return (
    Array.isArray(maps) &&
    maps.every(isText) &&
    isText(reduce) &&
    isText(options) &&
    Array.isArray(sources) &&
    sources.every(({ name, text }) => isText(name) && isText(text))
  )
}

function readDraft(key: string): StoredDraft | null {
  try {
    const draft = JSON.parse(readStored(key) ?? 'null') as (Omit<StoredDraft, 'base'> & Partial<StoredDraft>) | null
    if (draft === null || !isText(draft.name) || !isDefinition(draft.definition)) return null
    const base = draft.base ?? null
    return { name: draft.name, definition: draft.definition, base: base !== null && isDefinition(base) ? base : null }
  } catch {
    return null
  }
}

/** Whether a new index was begun in this browser and not saved. */
export const hasNewDraft = (database: string): boolean => readDraft(keyOf(database, '')) !== null

/** Begins a new index with a definition, in place of one that was begun before. */
export const beginNew = (database: string, name: string, definition: DefinitionText): boolean =>
  writeStored(keyOf(database, ''), JSON.stringify({ name, definition, base: null } satisfies StoredDraft))

interface DefinitionState extends StoredDraft {
  /** Something was typed that is not saved on the server. */
  readonly isTyped: boolean
  /** The server had another definition when typing began. */
  readonly isBehind: boolean
  /** The browser did not keep what was typed last: it is lost with the page. */
  readonly isUnkept: boolean
  readonly type: (parts: Partial<DefinitionText>) => void
  readonly rename: (name: string) => void
  /** Goes on from what the server has now, with the text as it is. */
  readonly rebase: () => void
  /** Forgets what was typed. */
  readonly discard: () => void
  /** Forgets what was typed where it is what was saved: anything typed meanwhile stays. */
  readonly settle: (saved: DefinitionText) => void
}

/** A definition as it is typed: kept by the browser until it is saved or discarded. `index` empty: a new one. */
export function useDefinition(database: string, index: string, saved: DefinitionText): DefinitionState {
  const key = keyOf(database, index)
  const [typed, setTyped] = useState(() => readDraft(key))
  const [isUnkept, setUnkept] = useState(false)
  const typedRef = useRef(typed)
  const { maps, reduce, sources, options } = saved
  const serverSide = index === '' ? null : { maps, reduce, sources, options }
  const keep = (draft: StoredDraft): void => {
    setTyped(draft)
    typedRef.current = draft
    setUnkept(!writeStored(key, JSON.stringify(draft)))
  }
  const discard = (): void => {
    removeStored(key)
    setTyped(null)
    typedRef.current = null
    setUnkept(false)
  }
  const now = typed ?? { name: index, definition: saved, base: serverSide }
  return {
    ...now,
    isTyped: typed !== null,
    isBehind: typed !== null && typed.base !== null && wholeText(typed.base) !== wholeText(saved),
    isUnkept,
    type: (parts) => keep({ ...now, definition: { ...now.definition, ...parts } }),
    rename: (name) => keep({ ...now, name }),
    rebase: () => keep({ ...now, base: serverSide }),
    discard,
    settle: (of) => {
      if (typedRef.current?.definition === of) discard()
    },
  }
}
