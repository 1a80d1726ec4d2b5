import type { Action, TargetKind } from './model.ts'
import { BY_QUERY_ACTIONS } from './rows/by-query.ts'
import { DATABASE_ACTIONS } from './rows/databases.ts'
import { DEFINITION_ACTIONS } from './rows/index-definitions.ts'
import { DOCUMENT_PART_ACTIONS } from './rows/document-parts.ts'
import { DOCUMENT_ACTIONS } from './rows/documents.ts'
import { INDEX_ACTIONS } from './rows/indexes.ts'
import { NOTIFICATION_ACTIONS } from './rows/notifications.ts'
import { OPERATION_ACTIONS } from './rows/operations.ts'
import { QUERY_ACTIONS } from './rows/running.ts'
import { SERVER_ACTIONS } from './rows/server.ts'

/** Every action that changes a server, in the order of menus. */
export const ACTIONS: readonly Action[] = [
  ...INDEX_ACTIONS,
  ...DEFINITION_ACTIONS,
  ...DATABASE_ACTIONS,
  ...DOCUMENT_ACTIONS,
  ...DOCUMENT_PART_ACTIONS,
  ...BY_QUERY_ACTIONS,
  ...QUERY_ACTIONS,
  ...OPERATION_ACTIONS,
  ...NOTIFICATION_ACTIONS,
  ...SERVER_ACTIONS,
]

const BY_ID: ReadonlyMap<string, Action> = new Map(ACTIONS.map((action) => [action.id, action]))

/** Action by its id; null: unknown, as in the activity of a newer build. */
export const actionById = (id: string): Action | null => BY_ID.get(id) ?? null

export const actionsOn = (kind: TargetKind): readonly Action[] => ACTIONS.filter(({ target }) => target === kind)
