import { useState } from 'react'
import { refusalNow } from '../../../actions/client/choose.ts'
import { isFinished, type ActivityEntry } from '../../../actions/client/activity-entry.ts'
import { serverKeyOf, useAccess, useActivity, useSession, useViewOnly } from '../../../actions/client/session.ts'
import { actionById } from '../../../actions/table.ts'
import { definitionKey } from '../../../actions/rows/index-definitions.ts'
import type { DefinitionText } from '../contract.ts'
import { definitionJson, isScript } from '../definition-text.ts'

interface Save {
  /** Reason why it cannot be saved now; null if it can. */
  readonly refusal: string | null
  /** Result of the last save; null: none was sent. */
  readonly entry: ActivityEntry | null
  readonly isSending: boolean
  readonly save: (name: string, definition: DefinitionText, isNew: boolean) => Promise<ActivityEntry | null>
}

/** Saves a definition with an action, so that the activity and all timelines show it. */
export function useSave(database: string, definition: DefinitionText): Save {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const activity = useActivity()
  const [id, setId] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const action = actionById(isScript(definition) ? 'index.save-script' : 'index.save')
  const entry = activity.find((each) => each.id === id) ?? null
  return {
    refusal: action === null ? null : refusalNow(action, { kind: 'index', database, name: '' }, access, viewOnly),
    entry,
    isSending: isSending || (entry !== null && entry.state === 'sending' && !isFinished(entry)),
    save: async (name, text, isNew) => {
      if (access === null || action === null) return null
      setSending(true)
      const body = `{"Indexes":[${definitionJson(name, text)}]}`
      const payload = new Blob([body], { type: 'application/json' })
      const call = {
        action: action.id,
        target: { kind: 'index', database, name } as const,
        inputs: {
          definition: definitionKey(text.maps, text.reduce.trim() === '' ? null : text.reduce),
          bytes: String(payload.size),
          ...(isNew ? { isNew: 'yes' } : {}),
        },
        facts: {},
      }
      const begun = await session.runner.start(serverKeyOf(access), call, action.title, { payload })
      setId(begun)
      setSending(false)
      return session.log.getSnapshot().find((each) => each.id === begun) ?? null
    },
  }
}
