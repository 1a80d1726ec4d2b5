import { useState } from 'react'
import { closeNotice, useSession } from '../../../../actions/client/session.ts'
import type { DraftPlace } from '../../../../capture/client/drafts/draft.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { useIsLeft } from '../../../../ui/hooks/useIsLeft.ts'
import type { OpenedDocument } from '../../contract.ts'
import { indentJson } from '../../data/indent-json.ts'
import { openDocument, useOpen } from '../useOpen.ts'
import type { Base, Editing } from './useEditing.ts'
import type { Refused } from './useFindings.ts'
import { useSaving } from './useSaving.ts'

/** The edited document as the server has it, and the outcome of the last save. */
interface ServerVersion {
  /** Document as last read; null: a new document, or one that could not be read. */
  readonly opened: OpenedDocument | null
  /** Version of another client, to compare with the typed text; null: none. */
  readonly theirs: Base | null
  readonly setTheirs: (theirs: Base | null) => void
  readonly isGone: boolean
  readonly setGone: (isGone: boolean) => void
  readonly refused: Refused | null
  /** Forgets a refusal whose cause is removed. */
  readonly clearRefused: () => void
  /** Reason why nothing can be saved now; null if it can. */
  readonly refusal: string | null
  readonly isSaving: boolean
  /** Adopts the server's version as base: directly unless both texts were changed, otherwise for comparison. */
  readonly takeNewest: () => Promise<void>
  /** Saves the edited text under `id`; a new document that is saved is opened. */
  readonly save: (id: string) => Promise<void>
}

interface ServerVersionOptions {
  /** Whether the document was read as deleted. */
  readonly isDeleted: boolean
  /** Closes the dialog, once the server has responded to a save. */
  readonly onResponse: () => void
  readonly focusText: () => void
}

/** Time, ms, for which a save may be under way without a response, and the pause between readings. */
const SETTLE_MS = 20_000
const SETTLE_EVERY_MS = 1000

/** Whether a document has that text, whose white space outside of strings the server does not keep. */
const isText = (text: string, { text: stored }: OpenedDocument): boolean =>
  text === stored || indentJson(text) === stored

const baseOf = ({ changeVector, text }: OpenedDocument): Base => ({ version: changeVector, text })

/** Saves an edited document, and reads it again where another client may have changed it. */
export function useServerVersion(
  { database, id: openedId }: DraftPlace,
  first: OpenedDocument | null,
  editing: Editing,
  { isDeleted, onResponse, focusText }: ServerVersionOptions,
): ServerVersion {
  const session = useSession()
  const capture = useCapture()
  const { go } = useOpen()
  const isNew = openedId === ''
  const [opened, setOpened] = useState(first)
  const [theirs, setTheirs] = useState<Base | null>(
    first !== null && editing.isChanged && editing.base.version !== first.changeVector ? baseOf(first) : null,
  )
  const [isGone, setGone] = useState(isDeleted)
  const [refused, setRefused] = useState<Refused | null>(null)
  const { save: send, refusal, isSaving, found } = useSaving(database)
  const isLeftRef = useIsLeft()

  /** Document as it is now; null: there is none with that id. Undefined: it cannot be read. */
  const readAgain = async (id = openedId): Promise<OpenedDocument | null | undefined> => {
    try {
      return await capture.request('documents.open', { database, id, isFresh: true })
    } catch {
      return undefined
    }
  }
  const take = (now: OpenedDocument): void => {
    const typed = editing.typed()
    setOpened(now)
    setGone(false)
    if (typed === editing.base.text || typed === now.text) editing.rebase(baseOf(now), now.text)
    // Only what belongs to the document was changed, such as its attachments.
    else if (now.text === editing.base.text) editing.rebase(baseOf(now), typed)
    else setTheirs(baseOf(now))
  }
  const takeNewest = async (): Promise<void> => {
    const now = await readAgain()
    if (now != null) take(now)
    else if (now === null) setGone(true)
  }
  /** Shows which version of another client has prevented a save. */
  const showConflict = async (id: string, sent: string): Promise<void> => {
    const refuse = (why: string): void => setRefused({ text: sent, why })
    if (isNew) return refuse(`There is a document “${id}” already: nothing was saved.`)
    const now = await readAgain()
    if (now === undefined) return refuse(`Another client changed or deleted “${id}”, which cannot be read now.`)
    if (now === null) return setGone(true)
    if (now.text === editing.base.text)
      refuse('Another client changed what belongs to the document, such as attachments, but not its text. Save again.')
    take(now)
  }
  const save = async (id: string): Promise<void> => {
    const sent = editing.text
    const saved = await send(id, sent, editing.base.version)
    onResponse()
    if (saved.outcome === 'unknown') return settle(id, sent, saved)
    setRefused(
      saved.outcome === 'refused' ? { text: sent, why: saved.why, isUnloaded: saved.isUnloaded === true } : null,
    )
    if (saved.outcome !== 'saved') {
      // The reason is shown beside the text.
      if (saved.entryId !== null && !isLeftRef.current) closeNotice(session, saved.entryId)
      if (saved.outcome === 'conflict') await showConflict(id, sent)
      return
    }
    if (!isNew) focusText()
    adopt(saved.id, sent, isNew ? null : ((await readAgain()) ?? null))
  }
  /** Continues from a saved text. `now`: the document as read afterwards; null: not read. */
  const adopt = (id: string, sent: string, now: OpenedDocument | null): void => {
    setGone(false)
    if (isNew) {
      if (editing.typed() === sent) editing.discard()
      // A save may end after the user has opened something else.
      if (!isLeftRef.current) go(openDocument(id))
      return
    }
    const typed = editing.typed()
    // Characters typed during the save and the re-read are a change on top of the saved version.
    editing.rebase(
      now === null ? { version: editing.base.version, text: sent } : baseOf(now),
      typed === sent ? (now?.text ?? sent) : typed,
    )
    if (now !== null) setOpened(now)
  }
  /**
   * Reads what became of a text of which no response came, until the server has another version than before, or the
   * editor is left.
   */
  const settle = async (
    id: string,
    sent: string,
    { why, entryId }: { readonly why: string; readonly entryId: string },
  ): Promise<void> => {
    const { version } = editing.base
    setRefused({ text: sent, why: `${why} The document is being read.`, isUnknown: true })
    const untilMs = performance.now() + SETTLE_MS
    while (!isLeftRef.current) {
      const now = await readAgain(id)
      if (now != null && now.changeVector !== version) {
        const isMine = isText(sent, now)
        setRefused(isMine || !isNew ? null : { text: sent, why: `There is another document “${id}” by now.` })
        if (isMine) {
          found(entryId, now.changeVector)
          adopt(id, sent, now)
        } else if (!isNew) take(now)
        return
      }
      if (performance.now() >= untilMs) {
        const isAsBefore = now != null
        setRefused({
          text: sent,
          why: isAsBefore ? `${why} The server has the version before.` : `${why} The document cannot be read now.`,
          isUnknown: !isAsBefore,
        })
        return
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLE_EVERY_MS))
    }
  }
  return {
    clearRefused: () => setRefused(null),
    opened,
    theirs,
    setTheirs,
    isGone,
    setGone,
    refused,
    refusal,
    isSaving,
    takeNewest,
    save,
  }
}
