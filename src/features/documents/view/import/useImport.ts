import { useState } from 'react'
import { isFinished, type ActivityEntry } from '../../../../actions/client/activity-entry.ts'
import { refusalNow } from '../../../../actions/client/choose.ts'
import { serverKeyOf, useAccess, useActivity, useSession, useViewOnly } from '../../../../actions/client/session.ts'
import { cancelOf, type CancelOffer } from '../../../../actions/client/undo.ts'
import type { ActionCall } from '../../../../actions/model.ts'
import { actionById } from '../../../../actions/table.ts'

export type ImportAction = 'database.import' | 'database.import-csv' | 'database.sample-data'

export interface ImportOrder {
  readonly action: ImportAction
  readonly database: string
  readonly inputs: ActionCall['inputs']
  readonly file: File | null
}

interface Import {
  /** Reason why nothing can be imported now; null if it can. */
  readonly refusal: string | null
  readonly isRunning: boolean
  /** The running or last step; null before the first one. */
  readonly entry: ActivityEntry | null
  /** Database of the last completed import; null: none yet. */
  readonly done: string | null
  readonly cancel: CancelOffer | null
  readonly start: (order: ImportOrder) => Promise<void>
}

const CREATE = { kind: 'server', database: null, name: null } as const

/**
 * Imports into a database, which it creates first if needed: two actions, each with its own activity entry. `isNew`:
 * whether the user chose a new database, so that the right to create one is needed, and none on `database`.
 */
export function useImport(database: string, isNew: boolean): Import {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const activity = useActivity()
  const [entryId, setEntryId] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const action = actionById(isNew ? 'server.create-database' : 'database.import')
  const target = isNew ? CREATE : ({ kind: 'database', database, name: null } as const)
  const refusal = action === null ? null : refusalNow(action, target, access, viewOnly)
  const entry = activity.find(({ id }) => id === entryId) ?? null

  /** Resolves at the end of the action, with whether it succeeded. */
  const step = async (server: string, call: ActionCall, file: File | null): Promise<boolean> => {
    const title = actionById(call.action)?.title ?? ''
    const id = await session.runner.start(server, call, title, file === null ? {} : { file })
    setEntryId(id)
    const now = (): ActivityEntry | null => session.log.get(id)
    await new Promise<void>((resolve) => {
      const see = (): void => {
        const found = now()
        if (found !== null && !isFinished(found)) return
        stop()
        resolve()
      }
      const stop = session.log.subscribe(see)
      see()
    })
    return now()?.state === 'done'
  }
  const start = async ({ action: id, database: into, inputs, file }: ImportOrder): Promise<void> => {
    if (access === null) return
    const server = serverKeyOf(access)
    setRunning(true)
    setDone(null)
    try {
      const name = into.trim()
      const create = { action: 'server.create-database', target: CREATE, inputs: { name }, facts: {} }
      if (isNew && !(await step(server, create, null))) return
      // A new database is loaded by the import.
      const facts = isNew ? { state: 'unloaded', documents: 0 } : {}
      const call = { action: id, target: { kind: 'database', database: name, name: null } as const, inputs, facts }
      if (await step(server, call, file)) setDone(name)
    } finally {
      setRunning(false)
    }
  }
  return { refusal, isRunning, entry, done, cancel: entry === null ? null : cancelOf(session, entry, access), start }
}
