import { useRef, useState } from 'react'
import { draftStore } from '../../../../capture/client/drafts/useDrafts.ts'
import type { Draft, DraftPlace } from '../../../../capture/client/drafts/draft.ts'

/** Version from which an edit begins. */
export interface Base {
  /** Change vector; empty for a document that does not exist yet. */
  readonly version: string
  readonly text: string
}

export interface Editing {
  readonly base: Base
  readonly text: string
  readonly isChanged: boolean
  /** Returns the current text, also after an await; `text` is that of the last rendering. */
  readonly typed: () => string
  /** Wall clock at which a restored draft was typed, ms; null without a draft. */
  readonly restoredMs: number | null
  readonly change: (text: string) => void
  /** Keeps the id typed for a new document. */
  readonly rename: (id: string) => void
  /** Replaces the base; `text` becomes the edited text. */
  readonly rebase: (base: Base, text: string) => void
  /** Discards the typed text. */
  readonly discard: () => void
}

/** State of the edited text of a document. Each keystroke is kept as a draft. */
export function useEditing(place: DraftPlace, read: Base, draft: Draft | null, newId?: string): Editing {
  const [found] = useState(() => {
    if (draft !== null) draftStore.hold(draft)
    return draft !== null && draft.text !== read.text ? draft : null
  })
  // Where the text is as it was, another version differs only in what belongs to the document, such as attachments.
  const isSameText = found !== null && read.version !== '' && found.base !== '' && found.baseText === read.text
  const [base, setBase] = useState<Base>(
    found === null || isSameText ? read : { version: found.base, text: found.baseText },
  )
  const [text, setText] = useState(found === null ? read.text : found.text)
  const typedRef = useRef(text)
  // A new document that was begun on this page, also by Clone, does not count as restored.
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
