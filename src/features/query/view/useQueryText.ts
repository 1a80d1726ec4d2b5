import { useState } from 'react'
import { useView } from '../../../capture/client/view.ts'
import { formatSettings, parseSettings } from './params.ts'
import { keepRecent, readDraft, writeDraft } from './kept-queries.ts'

export interface TypedQuery {
  readonly text: string
  readonly parameters: string
}

interface QueryTextState extends TypedQuery {
  readonly type: (typed: Partial<TypedQuery>) => void
  /** The address carries it from now on. */
  readonly carry: () => void
}

const EMPTY: TypedQuery = { text: '', parameters: '' }

/** As one text, to see whether the link is the one that a draft was typed after. */
const linkOf = ({ text, parameters }: TypedQuery): string => (text === '' ? '' : JSON.stringify([text, parameters]))

/** Initial text of the editor: what was typed after that link, or else the link's text. A draft that it replaces becomes a recent query. */
function firstOf(database: string, linked: TypedQuery): TypedQuery {
  const draft = readDraft(database)
  if (draft !== null && (linked.text === '' || draft.link === linkOf(linked))) return draft
  if (draft !== null && draft.text !== linked.text)
    keepRecent({ database, text: draft.text, parameters: draft.parameters, name: '', atMs: Date.now() })
  return linked.text === '' ? EMPTY : linked
}

/** Text of the query of a database: it survives a reload and a change of the panel, and comes from a link without being run. */
export function useQueryText(database: string): QueryTextState {
  const { view, change } = useView()
  const { text, parameters } = parseSettings(view.params)
  const link = linkOf({ text, parameters })
  const [typed, setTyped] = useState(() => firstOf(database, { text, parameters }))
  const [shownLink, setShownLink] = useState(link)
  // Another link was opened, or one went back in the history.
  if (link !== shownLink) {
    setShownLink(link)
    if (link !== '' && link !== linkOf(typed)) setTyped(firstOf(database, { text, parameters }))
  }
  return {
    ...typed,
    type: (parts) => {
      const next = { ...typed, ...parts }
      setTyped(next)
      writeDraft(database, { ...next, link })
    },
    carry: () => {
      writeDraft(database, { ...typed, link: linkOf(typed) })
      if (link !== linkOf(typed)) change({ params: formatSettings(typed) }, { push: true })
    },
  }
}
