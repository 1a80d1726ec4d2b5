import { useState } from 'react'
import { causeOf } from '../../../../actions/client/action-runner.ts'
import { isFinished, isSettled } from '../../../../actions/client/activity-entry.ts'
import { lockOf, refusalNow } from '../../../../actions/client/choose.ts'
import { serverKeyOf, useAccess, useSession, useViewOnly } from '../../../../actions/client/session.ts'
import type { ActionTarget } from '../../../../actions/model.ts'
import { acceptedId } from '../../../../actions/rows/documents.ts'
import { actionById } from '../../../../actions/table.ts'
import { exactBytes } from '../../../../base/text/exact-text.ts'

const SAVE = 'document.save'

export type Saved =
  | { readonly outcome: 'saved'; readonly id: string }
  /** Another client changed or deleted the document, or created one with that id. */
  | { readonly outcome: 'conflict'; readonly entryId: string }
  /** Whether the document was saved must be read from the document. */
  | { readonly outcome: 'unknown'; readonly why: string; readonly entryId: string }
  | {
      readonly outcome: 'refused'
      readonly why: string
      readonly entryId: string | null
      readonly isUnloaded?: boolean
    }

interface Saving {
  /** Reason why nothing can be saved now; null if it can. */
  readonly refusal: string | null
  readonly isSaving: boolean
  /** Saves a document. `expected`: change vector that was read; empty: a new document. Never rejects. */
  readonly save: (id: string, text: string, expected: string) => Promise<Saved>
  /** Ends the activity entry of a save without a response as done: the document was read with its text. */
  readonly found: (entryId: string, changeVector: string) => void
}

/** Saves a document with an action, whose entry has the id and the size, and none of its text. */
export function useSaving(database: string): Saving {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const [isSaving, setSaving] = useState(false)
  const action = actionById(SAVE)
  const target: ActionTarget = { kind: 'document', database, name: null }
  const refusal = action === null ? lockOf(viewOnly) : refusalNow(action, target, access, viewOnly)

  const save = async (id: string, text: string, expected: string): Promise<Saved> => {
    if (access === null) return { outcome: 'refused', why: refusal ?? '', entryId: null }
    const payload = new Blob([exactBytes(text)], { type: 'application/json' })
    const call = {
      action: SAVE,
      target: { ...target, name: id },
      inputs: { expected, bytes: String(payload.size) },
      facts: {},
    }
    setSaving(true)
    try {
      const entryId = await session.runner.start(serverKeyOf(access), call, 'Save', { payload })
      const entry = session.log.get(entryId)
      if (entry === null) return { outcome: 'unknown', why: 'The activity has no entry of it.', entryId }
      const { error, accepted } = entry
      if (error === null && accepted !== null) return { outcome: 'saved', id: acceptedId(accepted) ?? id }
      if (error?.status === 409 || entry.state === 'gone') return { outcome: 'conflict', entryId }
      const why = error === null ? entry.text : causeOf(error)
      const isUnloaded = error?.kind === 'database-unloaded'
      return entry.state === 'failed'
        ? { outcome: 'refused', why, entryId, isUnloaded }
        : { outcome: 'unknown', why, entryId }
    } finally {
      setSaving(false)
    }
  }
  const found = (entryId: string, changeVector: string): void => {
    const { log } = session
    const end = (): void => {
      const entry = log.get(entryId)
      // The runner compares change vectors only, and ends the entry as unknown.
      if (entry !== null && !isFinished(entry)) return
      stop()
      if (entry === null || isSettled(entry)) return
      const text = `The response was lost; the document has the text that was sent, as change vector ${changeVector}.`
      log.patch(entryId, { state: 'done', text, error: null })
    }
    const stop = log.subscribe(end)
    end()
  }
  return { refusal, isSaving, save, found }
}
