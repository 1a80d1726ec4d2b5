import { useEffect, useState, type ReactNode } from 'react'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useAttempt } from '../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../ui/controls/Dialog.tsx'
import { TextField } from '../../ui/controls/Field.tsx'
import type { Access } from '../access.ts'
import type { PendingConfirmation } from '../client/confirmation.ts'
import { refusalNow, startAll } from '../client/choose.ts'
import { useSession, useViewOnly } from '../client/session.ts'
import { startUndo } from '../client/undo.ts'
import { fileSideOf } from '../client/file-side.ts'
import { countWords, targetWords, type Action, type ActionField, type ActionCall } from '../model.ts'
import { curlOf, writeRequestOf } from '../write-request.ts'
import { ActionFields } from './ActionFields.tsx'
import { DialogFacts } from './DialogFacts.tsx'
import styles from './actions.module.css'

/** What must be typed before something that cannot be undone: the name, or of several their number. */
const wordToType = (calls: readonly ActionCall[]): string => {
  const [first] = calls
  return calls.length > 1 ? String(calls.length) : (first?.target.name ?? first?.target.database ?? '')
}

/** `before`: what was chosen the last time. */
const initialOf = (fields: readonly ActionField[], before: ActionCall['inputs']): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, initial, choices }) => [name, before[name] ?? initial ?? choices?.[0] ?? '']))

/** Says what will happen, what can be lost and what is sent, and asks as the risk demands. */
export function ActionDialog({
  action,
  pending: { title, calls, server, retryOf, undoes },
  access,
}: {
  readonly action: Action
  readonly pending: PendingConfirmation
  readonly access: Access
}): ReactNode {
  const session = useSession()
  const state = useCaptureState()
  const viewOnly = useViewOnly()
  const fields = action.fields ?? []
  const [typed, setTyped] = useState('')
  const [inputs, setInputs] = useState(() => initialOf(fields, retryOf === undefined ? {} : (calls[0]?.inputs ?? {})))
  const [file, setFile] = useState<File | null>(null)
  const { attempt, isRunning, failure } = useAttempt()
  const close = (): void => session.confirmation.request(null)
  // It belongs to what was shown when it was opened, which the way back leaves.
  useEffect(() => {
    const left = (): void => session.confirmation.request(null)
    addEventListener('popstate', left)
    return () => removeEventListener('popstate', left)
  }, [session])
  const filled = calls.map((call): ActionCall => ({ ...call, inputs: { ...call.inputs, ...inputs } }))
  const word = wordToType(calls)
  const isTyped = action.confirm !== 'type-name' || typed.trim() === word
  const isFilled = fields.every(({ name, optional }) => optional === true || (inputs[name] ?? '').trim() !== '')
  const [first] = filled
  if (first === undefined) return null
  // Rights and view only may change while it asks.
  const [refusal = null] = calls.flatMap(({ target }) => refusalNow(action, target, access, viewOnly) ?? [])
  const losses = [...new Set(filled.map((call) => action.loss(call, access.version)).filter((loss) => loss !== null))]
  const curl = filled
    .map((call) =>
      curlOf(writeRequestOf(action, call, access.version), state.server?.url ?? location.origin, action.transfer),
    )
    .join('\n')
  const start = async (): Promise<void> => {
    const chosen = await attempt('Nothing was sent', () => fileSideOf(action, first, file))
    // The user did not choose a place for the file.
    if (!chosen.ok || chosen.result === null) return
    close()
    // What becomes of each is in its entry of the activity.
    // With its id the cluster does not do twice what it has done; what was changed is something else.
    const isSame = fields.every(({ name }) => first.inputs[name] === calls[0]?.inputs[name])
    if (retryOf !== undefined && isSame) void session.runner.retry(retryOf, first)
    else if (undoes !== undefined) void startUndo(session, undoes, server, first, title)
    else void startAll(session, server, filled, title, chosen.result)
  }
  return (
    <Dialog
      title={`${title}: ${calls.length === 1 ? targetWords(first.target) : countWords(action.target, calls.length)}`}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            tone="primary"
            disabled={refusal !== null || !isTyped || !isFilled || isRunning}
            onClick={() => void start()}
          >
            {title}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        {filled.length === 1 ? (
          <p>{action.consequence(first, access.version)}</p>
        ) : (
          <ul>
            {filled.map((call) => (
              <li key={targetWords(call.target)}>{action.consequence(call, access.version)}</li>
            ))}
          </ul>
        )}
        <DialogFacts targets={calls.map(({ target }) => target)} />
        {refusal === null ? null : <p role="alert">{refusal}</p>}
        {losses.map((loss) => (
          <p key={loss} className={styles.loss}>
            <strong>Can be lost:</strong> {loss}
          </p>
        ))}
        <ActionFields
          fields={fields}
          inputs={inputs}
          onChange={(name, value, chosen) => {
            setInputs({ ...inputs, [name]: value })
            if (chosen !== undefined) setFile(chosen)
          }}
        />
        {action.confirm === 'type-name' ? (
          <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />
        ) : null}
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
