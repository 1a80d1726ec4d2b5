import { refusalOf, type Access } from '../access.ts'
import { actionById } from '../table.ts'
import { opensDialog, titleOf, type ActionCall, type ActionTarget } from '../model.ts'
import { operationIdOf } from '../rows/operation-reading.ts'
import type { ActivityEntry } from './activity-entry.ts'
import type { ActionSession } from './session.ts'

interface UndoOffer {
  readonly call: ActionCall
  readonly title: string
  /** Why this user cannot undo it; null: they can. */
  readonly refusal: string | null
}

/** Action that undoes an entry; null: there is none, or it was undone already. */
export function undoOf({ call, state, undoneBy }: ActivityEntry, access: Access | null): UndoOffer | null {
  if (undoneBy !== null || (state !== 'done' && state !== 'running')) return null
  const inverse = actionById(call.action)?.inverse?.(call) ?? null
  const action = inverse === null ? null : actionById(inverse.action)
  if (inverse === null || action === null) return null
  const facts = state === 'running' ? { ...call.facts, hasReplacement: true } : call.facts
  // The replacement has become the index: there is nothing left to discard.
  if (state === 'done' && action.id === 'index.discard-replacement') return null
  return {
    call: { ...call, ...inverse, facts },
    title: titleOf(action, inverse.inputs),
    refusal: access === null ? null : refusalOf(action, call.target, access),
  }
}

/** Undoes an entry, with a dialog first if the action has one; links both entries. */
export async function undo(session: ActionSession, entry: ActivityEntry, access: Access | null): Promise<void> {
  const undoOffer = undoOf(entry, access)
  const action = undoOffer === null ? null : actionById(undoOffer.call.action)
  if (undoOffer === null || action === null || access === null) return
  const { title } = undoOffer
  const call = await withFactsNow(session, undoOffer.call)
  if (opensDialog(action, call.facts, access.version))
    session.confirmation.request({ title, calls: [call], server: entry.server, undoes: entry.id })
  else await startUndo(session, entry.id, entry.server, call, title)
}

/** Sends the call that undoes an entry. */
export async function startUndo(
  session: ActionSession,
  id: string,
  server: string,
  call: ActionCall,
  title: string,
): Promise<void> {
  const undoneBy = await session.runner.start(server, call, title)
  const state = session.log.get(undoneBy)?.state
  if (state !== 'failed' && state !== 'gone') session.log.patch(id, { undoneBy })
}

/** The call with current facts: those of the first choice are outdated, and the confirmation may depend on them. */
export async function withFactsNow(session: ActionSession, call: ActionCall): Promise<ActionCall> {
  const action = actionById(call.action)
  if (action === null || (action.confirm === 'none' && action.confirmsAt === undefined)) return call
  const { rebuilding: _, ...before } = call.facts
  return { ...call, facts: { ...before, ...(await session.factsNow(call.target)) } }
}

/** Action that ends a running entry early; null: there is none. */
export interface CancelOffer {
  readonly run: () => void
  /** Why this user cannot cancel it; null: they can. */
  readonly refusal: string | null
}

/** Cancels a running entry: a file is no longer sent or received; an operation of the server is killed. */
export function cancelOf(session: ActionSession, entry: ActivityEntry, access: Access | null): CancelOffer | null {
  const { call, state, accepted, id, server } = entry
  const action = actionById(call.action)
  if (action === null) return null
  // How much was sent is known as long as it is being sent.
  const isSending = state === 'sending' && action.isUpload === true && entry.progress !== null
  if (isSending) return { run: () => session.runner.cancelTransfer(id), refusal: null }
  if (state !== 'running') return null
  if (action.transfer !== undefined) return { run: () => session.runner.cancelTransfer(id), refusal: null }
  const kill = actionById('operation.kill')
  const operation = operationIdOf(accepted)
  if (kill === null || operation === null || action.operation === undefined) return null
  const database = action.operation.of === 'server' ? null : call.target.database
  const target: ActionTarget = { kind: 'operation', database, name: String(operation) }
  return {
    run: () =>
      session.confirmation.request({
        title: kill.title,
        calls: [{ action: kill.id, target, inputs: {}, facts: {} }],
        server,
      }),
    refusal: access === null ? null : refusalOf(kill, target, access),
  }
}
