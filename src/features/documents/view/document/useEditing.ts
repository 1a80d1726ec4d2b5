import { useRef, useState } from 'react'
import { draftStore } from '../../../../capture/client/drafts/useDrafts.ts'
import type { Draft, DraftPlace } from '../../../../capture/client/drafts/draft.ts'

/** The version that an edit begins from. */
export interface Base {
  /** Change vector; empty: the document does not exist yet. */
  readonly version: string
  readonly text: string
}

export interface Editing {
  readonly base: Base
  readonly text: string
  readonly isChanged: boolean
  /** Text of this moment, for what has waited for the server: `text` is that of the rendering. */
  readonly typed: () => string
  /** Wall clock at which the text of a draft that this page found was typed, ms; null without a draft. */
  readonly restoredMs: number | null
  readonly change: (text: string) => void
  /** Keeps the id that was typed for a new document. */
  readonly rename: (id: string) => void
  /** Takes another base under the text that was typed. */
  readonly rebase: (base: Base, text: string) => void
  /** Drops what was typed. */
  readonly discard: () => void
}

/** Text of one document as it is typed, each keystroke kept as a draft. */
export function useEditing(place: DraftPlace, read: Base, draft: Draft | null, newId?: string): Editing {
  const [found] = useState(() => {
    if (draft !== null) draftStore.hold(draft)
    return draft !== null && draft.text !== read.text ? draft : null
  })
  const [base, setBase] = useState<Base>(found === null ? read : { version: found.base, text: found.baseText })
  const [text, setText] = useState(found === null ? read.text : found.text)
  const typedRef = useRef(text)
  // A new document that was begun on this page, by Clone too, is not one that was found again.
  const isFoundAgain = found !== null && (place.id !== '' || found.changedMs < performance.timeOrigin)
  const [restoredMs, setRestoredMs] = useState(isFoundAgain ? found.changedMs : null)
  const keep = (of: Base, typed: string, id = newId): void => {
    if (typed === of.text) draftStore.remove(place)
    else
      draftStore.keep({
        ...place,
        base: of.version,
        baseText: of.text,
        text: typed,
        ...(id === undefined ? {} : { newId: id }),
        changedMs: Date.now(),
      })
  }
  const rebase = (next: Base, typed: string): void => {
    setBase(next)
    setText(typed)
    typedRef.current = typed
    if (typed === next.text) setRestoredMs(null)
    keep(next, typed)
  }
  return {
    base,
    text,
    isChanged: text !== base.text,
    typed: () => typedRef.current,
    restoredMs,
    change: (typed) => {
      setText(typed)
      typedRef.current = typed
      keep(base, typed)
    },
    rename: (id) => keep(base, typedRef.current, id),
    rebase,
    discard: () => rebase(base, base.text),
  }
}
