import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useAttempt } from '../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import type { Access } from '../access.ts'
import type { PendingConfirmation } from '../client/confirmation.ts'
import { refusalNow } from '../client/choose.ts'
import { useSession, useViewOnly } from '../client/session.ts'
import { startAll, waitsForEnd } from '../client/start-all.ts'
import { startUndo } from '../client/undo.ts'
import { fileSideOf } from '../client/file-side.ts'
import { useRefusal } from '../client/use-refusal.ts'
import { callWords, countWords, isSameTarget, type Action, type ActionField, type ActionCall } from '../model.ts'
import { curlOf, writeRequestOf } from '../write-request.ts'
import { ActionFields } from './ActionFields.tsx'
import { Consequences } from './Consequences.tsx'
import { DialogFacts } from './DialogFacts.tsx'
import { isWordTyped, TypedName } from './TypedName.tsx'
import styles from './actions.module.css'

/** `before`: values chosen last time, or where the dialog was opened. */
const initialOf = (fields: readonly ActionField[], before: ActionCall['inputs']): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, initial, choices }) => [name, before[name] ?? initial ?? choices?.[0] ?? '']))

/** Dialog that says what will happen, what can be lost and what is sent, with a confirmation according to the risk. */
export function ActionDialog({
  action,
  pending: { title, calls, server, retryOf, undoes, absent },
  access,
}: {
  readonly action: Action
  readonly pending: PendingConfirmation
  readonly access: Access
}): ReactNode {
  const session = useSession()
  const state = useCaptureState()
  const viewOnly = useViewOnly()
  // Several databases have no common indexes.
  const fields = (action.fields ?? []).filter(({ input }) => input !== 'indexes' || calls.length === 1)
  const [typed, setTyped] = useState('')
  const [inputs, setInputs] = useState(() => initialOf(fields, calls[0]?.inputs ?? {}))
  const [file, setFile] = useState<File | null>(null)
  const { attempt, isRunning, failure } = useAttempt()
  /** A ref, since two activations in one step see the same state. */
  const isStarting = useRef(false)
  const consequencesId = useId()
  const close = (): void => session.confirmation.request(null)
  // The dialog belongs to the page content on which it was opened; going back closes it.
  useEffect(() => {
    const left = (): void => session.confirmation.request(null)
    addEventListener('popstate', left)
    return () => removeEventListener('popstate', left)
  }, [session])
  const filled = calls.map((call): ActionCall => ({ ...call, inputs: { ...call.inputs, ...inputs } }))
  const isTyped = action.confirm !== 'type-name' || isWordTyped(calls, typed)
  const isFilled = fields.every(({ name, optional }) => optional === true || (inputs[name] ?? '').trim() !== '')
  const refused = useRefusal(action, filled)
  const [first] = filled
  if (first === undefined) return null
  // Rights and view-only state may change while the dialog is open.
  const [forbidden = null] = calls.flatMap(({ target }) => refusalNow(action, target, access, viewOnly) ?? [])
  const refusal = forbidden ?? refused
  const present = filled.filter(({ target }) => absent?.some((gone) => isSameTarget(gone, target)) !== true)
  const isOff = present.length === 0 || refusal !== null || !isTyped || !isFilled || isRunning
  const curl = filled
    .map((call) => curlOf(writeRequestOf(action, call, access.version), state.server?.url ?? location.origin, action))
    .join('\n')
  const start = async (): Promise<void> => {
    if (isOff || isStarting.current) return
    isStarting.current = true
    const chosen = await attempt('Nothing was sent', () => fileSideOf(action, first, file))
    isStarting.current = false
    // The user cancelled the file dialog.
    if (!chosen.ok || chosen.result === null) return
    close()
    // The activity shows each result. With the same id the cluster does not repeat what it has done; a changed call
    // needs a new id.
    const isSame = fields.every(({ name }) => first.inputs[name] === calls[0]?.inputs[name])
    if (retryOf !== undefined && isSame) void session.runner.retry(retryOf, first)
    else if (undoes !== undefined) void startUndo(session, undoes, server, first, title)
    else void startAll(session, server, present, title, chosen.result)
  }
  return (
    <Dialog
      title={
        calls.length === 1 ? callWords(action, title, first) : `${title}: ${countWords(action.target, calls.length)}`
      }
      describedBy={consequencesId}
      onClose={close}
      onSubmit={() => void start()}
      actions={
        <>
          <Button onClick={close}>{action.dismiss ?? 'Cancel'}</Button>
          <Button tone="primary" submits disabled={isOff}>
            {title}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <Consequences id={consequencesId} action={action} calls={filled} version={access.version} />
        {calls.length > 1 && waitsForEnd(first) ? (
          <p>Each begins when the one before has ended: keep this page open until the last has begun.</p>
        ) : null}
        <DialogFacts targets={calls.map(({ target }) => target)} />
        {refusal === null ? null : <p role="alert">{refusal}</p>}
        <ActionFields
          database={first.target.database}
          fields={fields}
          inputs={inputs}
          onChange={(name, value, chosen) => {
            setInputs({ ...inputs, [name]: value })
            if (chosen !== undefined) setFile(chosen)
          }}
        />
        {action.confirm === 'type-name' ? <TypedName calls={calls} value={typed} onChange={setTyped} /> : null}
        <details>
          <summary>Request</summary>
          <pre className={styles.curl}>{curl}</pre>
          <CopyButton label="Copy as curl" text={() => curl} />
        </details>
        <AttemptFailure of={failure} />
      </div>
    </Dialog>
  )
}
