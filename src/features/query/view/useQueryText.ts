import { useEffect, useState } from 'react'
import type { Draft, DraftPlace } from '../../../capture/client/drafts/draft.ts'
import { draftStore } from '../../../capture/client/drafts/useDrafts.ts'
import { useView } from '../../../capture/client/view.ts'
import { formatSettings, parseSettings } from './params.ts'
import { earlierDraft, forgetEarlier, keepRecent } from './kept-queries.ts'

export interface TypedQuery {
  readonly text: string
  readonly parameters: string
}

interface QueryTextState extends TypedQuery {
  readonly type: (typed: Partial<TypedQuery>) => void
  /** Puts the query into the address. */
  readonly carry: () => void
}

const EMPTY: TypedQuery = { text: '', parameters: '' }

/** Key of a link. A draft stores the key of the link after which it was typed. */
const linkOf = ({ text, parameters }: TypedQuery): string => (text === '' ? '' : JSON.stringify([text, parameters]))

const draftOf = (place: DraftPlace, typed: TypedQuery, link: string): Draft => ({
  ...place,
  ...typed,
  base: link,
  baseText: '',
  changedMs: Date.now(),
})

/** Draft of the query, or one from before drafts were kept per server. */
function findDraft(place: DraftPlace): Pick<Draft, 'text' | 'parameters' | 'base'> | null {
  const draft = draftStore.of(place)
  if (draft !== null) draftStore.hold(draft)
  const earlier = draft === null ? earlierDraft(place.database) : null
  return earlier === null ? draft : { ...earlier, base: earlier.link }
}

/**
 * Initial text of the editor: the draft if it was typed after that link, otherwise the text of the link. A draft that
 * the link replaces is added to the recent queries.
 */
function firstOf(place: DraftPlace, linked: TypedQuery): TypedQuery {
  const draft = findDraft(place)
  if (draft === null) return linked.text === '' ? EMPTY : linked
  const { text, parameters = '', base } = draft
  if (linked.text === '' || base === linkOf(linked)) return { text, parameters }
  const { server, database } = place
  const isKept = text === linked.text || keepRecent({ server, database, text, parameters, name: '', atMs: Date.now() })
  if (!isKept) draftStore.leave(place)
  return linked
}

/** Text of the query of a database. It survives a reload and a change of panel. A link sets it without running it. */
export function useQueryText(place: DraftPlace): QueryTextState {
  const { view, change } = useView()
  const { text, parameters } = parseSettings(view.params)
  const link = linkOf({ text, parameters })
  const [typed, setTyped] = useState(() => firstOf(place, { text, parameters }))
  const [shownLink, setShownLink] = useState(link)
  // Another link was opened, or the user went back in the history.
  if (link !== shownLink) {
    setShownLink(link)
    if (link !== '' && link !== linkOf(typed)) setTyped(firstOf(place, { text, parameters }))
  }
  const { kind, server, database, id } = place
  useEffect(() => {
    const earlier = earlierDraft(database)
    if (earlier === null || draftStore.of({ kind, server, database, id }) !== null) return
    draftStore.keep(draftOf({ kind, server, database, id }, earlier, earlier.link))
    void draftStore.flush().then(() => {
      if (!draftStore.isAtRisk) forgetEarlier(database)
    })
  }, [kind, server, database, id])
  return {
    ...typed,
    type: (parts) => {
      const next = { ...typed, ...parts }
      setTyped(next)
      if (next.text === '' && next.parameters === '') draftStore.remove(place)
      else draftStore.keep(draftOf(place, next, link))
    },
    carry: () => {
      // A query from a link that was only run needs no draft.
      if (link !== linkOf(typed) || draftStore.of(place) !== null) draftStore.keep(draftOf(place, typed, linkOf(typed)))
      if (link !== linkOf(typed)) change({ params: formatSettings(typed) }, { push: true })
    },
  }
}
