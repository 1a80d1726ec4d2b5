import { useState } from 'react'
import { closeNotice, useSession } from '../../../actions/client/session.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import type { ErrorInfo } from '../../../capture/client/state.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { useIsLeft } from '../../../ui/hooks/useIsLeft.ts'
import { crossedBy, refusalBeforeSave, type Crossed } from '../before-save.ts'
import type { DefinitionFault, DefinitionText, PastDefinition, SavedDefinition } from '../contract.ts'
import { faultsOf } from '../definition-text.ts'
import { useSave } from './useSave.ts'

interface SavingOptions {
  readonly database: string
  readonly name: string
  /** Definition on the server; null for a new index. */
  readonly saved: SavedDefinition | null
  readonly definition: DefinitionText
  readonly onFaults: (faults: readonly DefinitionFault[]) => void
  readonly onSaved: () => void
  /** Called when the definition on the server differs from `saved`. */
  readonly onReread: () => void
}

export interface Saving extends Pick<ReturnType<typeof useSave>, 'refusal' | 'entry'> {
  readonly isBusy: boolean
  /** Reason why the last save was not sent; null: it was sent. */
  readonly why: string | null
  readonly error: ErrorInfo | null
  /** A definition that another client saved at the same time; null: none, according to the server's history. */
  readonly crossed: Crossed | null
  /** The save succeeded without a readable history, so that a concurrent save would go unnoticed. */
  readonly isUnchecked: boolean
  readonly saveNow: () => Promise<void>
}

/**
 * Saves a definition. Reads it right before, so that only a definition that the user has seen is overwritten, and reads
 * the history afterwards to detect a concurrent save.
 */
export function useSaving(options: SavingOptions): Saving {
  const { database, saved, definition, onFaults, onSaved, onReread } = options
  const name = options.name.trim()
  const capture = useCapture()
  const session = useSession()
  const isLeftRef = useIsLeft()
  const { refusal, entry, isSending, save } = useSave(database, definition)
  const [error, setError] = useState<ErrorInfo | null>(null)
  const [isReading, setReading] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  const [crossed, setCrossed] = useState<Crossed | null>(null)
  const [isUnchecked, setUnchecked] = useState(false)

  /** Reads the history; null: unreadable. The save then continues, and the user is informed afterwards. */
  const readPast = async (): Promise<readonly PastDefinition[] | null> => {
    const history = await capture.request('definitions.history', { database, index: name }).catch(() => null)
    return history?.loaded === true ? history.past : null
  }
  /** Reads the current definition; returns whether ours may be sent. */
  const mayBeSent = async (): Promise<boolean> => {
    try {
      const now = await capture.request('definitions.read', { database, index: name })
      const refused = now.loaded ? refusalBeforeSave(name, saved, now.definition) : null
      if (refused !== null) {
        setWhy(refused)
        if (saved !== null) onReread()
      }
      return refused === null
    } catch (thrown) {
      if (thrown instanceof CaptureError) setError(thrown.info)
      return false
    }
  }
  const send = async (): Promise<void> => {
    const before = saved === null ? [] : await readPast()
    if (!(await mayBeSent())) return
    const sent = await save(name, definition, saved === null)
    if (sent === null) return
    if (sent.error === null) {
      const after = before === null ? null : await readPast()
      if (before !== null && after !== null) setCrossed(crossedBy(before, after, definition))
      setUnchecked(before === null || after === null)
      onSaved()
      return
    }
    // The reason is shown beside the definition.
    if (!isLeftRef.current) closeNotice(session, sent.id)
    const { kind, serverMessage } = sent.error
    // A refusal of the text is shown as it is; any other error, such as a lost connection, with a hint.
    const isRefusal = kind === 'bad-request' && serverMessage !== null
    const found = faultsOf(serverMessage ?? '', definition).filter(({ place }) => isRefusal || place !== null)
    onFaults(found)
    if (found.length === 0) setError(sent.error)
  }
  const saveNow = async (): Promise<void> => {
    onFaults([])
    setError(null)
    setWhy(null)
    setCrossed(null)
    setUnchecked(false)
    setReading(true)
    await send()
    setReading(false)
  }
  return { refusal, entry, isBusy: isSending || isReading, why, error, crossed, isUnchecked, saveNow }
}
