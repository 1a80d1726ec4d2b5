import { useEffect, useRef, useState } from 'react'
import type { Draft, DraftPlace } from '../../../capture/client/drafts/draft.ts'
import { draftStore } from '../../../capture/client/drafts/useDrafts.ts'
import { readStored, removeStored } from '../../../ui/storage.ts'
import type { DefinitionText } from '../contract.ts'
import { wholeText } from '../definition-text.ts'

/** Initial text of a new index: an example that compiles. */
export const NEW_INDEX: DefinitionText = {
  maps: ['from doc in docs.Orders\nselect new\n{\n    doc.Company\n}'],
  reduce: '',
  sources: [],
  options: '{}',
}

interface TypedDefinition {
  readonly name: string
  readonly definition: DefinitionText
  /** Definition on the server when the edit began; null: new index, or not stored. */
  readonly base: DefinitionText | null
}

/** Storage key of drafts from before drafts were kept per server. */
const earlierKey = ({ database, id }: DraftPlace): string => `index-draft.${JSON.stringify([database, id])}`

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

function readDefinition(text: string): TypedDefinition | null {
  try {
    const draft = JSON.parse(text) as (Omit<TypedDefinition, 'base'> & Partial<TypedDefinition>) | null
    if (draft === null || !isText(draft.name) || !isDefinition(draft.definition)) return null
    const base = draft.base ?? null
    return { name: draft.name, definition: draft.definition, base: base !== null && isDefinition(base) ? base : null }
  } catch {
    return null
  }
}

const draftOf = (place: DraftPlace, typed: TypedDefinition): Draft => ({
  ...place,
  base: '',
  baseText: '',
  text: JSON.stringify(typed),
  newId: typed.name,
  changedMs: Date.now(),
})

function firstOf(place: DraftPlace): TypedDefinition | null {
  const draft = draftStore.of(place)
  if (draft !== null) draftStore.hold(draft)
  return readDefinition(draft?.text ?? readStored(earlierKey(place)) ?? 'null')
}

/** Unsaved definition of this browser; null: none. Requires that drafts have been read. */
export const typedAt = (place: DraftPlace): DefinitionText | null => firstOf(place)?.definition ?? null

/** Whether this browser has an unsaved new index. Requires that drafts have been read. */
export const hasNewDraft = (place: DraftPlace): boolean => firstOf(place) !== null

/** Begins a new index with a definition, and replaces an earlier unsaved one. */
export function beginNew(place: DraftPlace, name: string, definition: DefinitionText): void {
  draftStore.keep(draftOf(place, { name, definition, base: null }))
  const begun = draftStore.of(place)
  if (begun !== null) draftStore.choose(begun)
}

interface DefinitionState extends TypedDefinition {
  /** Whether there are changes that are not saved on the server. */
  readonly isTyped: boolean
  /** Whether the definition on the server has changed since the edit began. */
  readonly isBehind: boolean
  readonly type: (parts: Partial<DefinitionText>) => void
  readonly rename: (name: string) => void
  /** Makes the current definition on the server the base of the edit, and keeps the text. */
  readonly rebase: () => void
  /** Discards the unsaved text. */
  readonly discard: () => void
  /** Discards the unsaved text if it equals what was saved; later changes are kept. */
  readonly settle: (saved: DefinitionText) => void
}

/**
 * State of an edited definition, which is a draft until it is saved or discarded. `place.id` is empty for a new index.
 * Requires that drafts have been read.
 */
export function useDefinition(place: DraftPlace, saved: DefinitionText): DefinitionState {
  const [typed, setTyped] = useState(() => firstOf(place))
  const typedRef = useRef(typed)
  const { maps, reduce, sources, options } = saved
  const { kind, server, database, id } = place
  useEffect(() => {
    const key = earlierKey({ kind, server, database, id })
    const earlier = readDefinition(readStored(key) ?? 'null')
    if (earlier === null || draftStore.of({ kind, server, database, id }) !== null) return
    draftStore.keep(draftOf({ kind, server, database, id }, earlier))
    void draftStore.flush().then(() => {
      if (!draftStore.isAtRisk) removeStored(key)
    })
  }, [kind, server, database, id])
  const keep = (next: TypedDefinition): void => {
    setTyped(next)
    typedRef.current = next
    draftStore.keep(draftOf(place, next))
  }
  const discard = (): void => {
    draftStore.remove(place)
    setTyped(null)
    typedRef.current = null
  }
  const serverSide = id === '' ? null : { maps, reduce, sources, options }
  const now = typed ?? { name: id, definition: saved, base: serverSide }
  return {
    ...now,
    isTyped: typed !== null,
    isBehind: typed !== null && typed.base !== null && wholeText(typed.base) !== wholeText(saved),
    type: (parts) => {
      const definition = { ...now.definition, ...parts }
      const isAsSaved = [now.base, saved].every((each) => each !== null && wholeText(each) === wholeText(definition))
      if (isAsSaved) discard()
      else keep({ ...now, definition })
    },
    rename: (name) => keep({ ...now, name }),
    rebase: () => keep({ ...now, base: serverSide }),
    discard,
    settle: (of) => {
      if (typedRef.current?.definition === of) discard()
    },
  }
}
