import { asNumber, asObject, asString, orNull, type JsonObject } from '../../../../base/json/check.ts'
import type { ServerAlert } from '../../contract.ts'
import { ticksOrNull } from './widgets.ts'

/** A frame of `/server/notification-center/watch`. Connecting reports all persistent alerts, then what changes. */
export type Notification =
  | { readonly kind: 'alert'; readonly alert: ServerAlert }
  /** An alert was dismissed or postponed, by any client. */
  | { readonly kind: 'removed'; readonly id: string }
  /** The same fields as `/cluster/topology` has. */
  | { readonly kind: 'topology'; readonly response: unknown }
  /** A long operation of the server itself began, went on or ended: as sent, since few pages read more of it. */
  | { readonly kind: 'operation'; readonly id: number; readonly frame: JsonObject }
  | { readonly kind: 'other' }

/** The database of which a frame says that it was created, loaded, enabled, disabled or deleted; null: it says none of it. */
export function changedDatabase(frame: string): string | null {
  if (!frame.includes('"DatabaseChanged"')) return null
  try {
    const body = asObject(JSON.parse(frame), '$')
    return body['Type'] === 'DatabaseChanged' ? asString(body['DatabaseName'], '$.DatabaseName') : null
  } catch {
    return null
  }
}

/** Texts are the server's and may be of any length. */
const MOST_CHARACTERS = 2000

/** The kind of an alert is `Reason` on 7.1 and `AlertType` before. Errors: `ParseError`. */
export function readNotification(frame: unknown): Notification {
  const body = asObject(frame, '$')
  const type = asString(body['Type'], '$.Type')
  const text = (field: string): string | null =>
    orNull(asString, body[field], `$.${field}`)?.slice(0, MOST_CHARACTERS) ?? null
  if (type === 'ClusterTopologyChanged') return { kind: 'topology', response: body }
  if (type === 'NotificationUpdated') {
    const id = text('NotificationId')
    const isGone = body['UpdateType'] === 'Dismissed' || body['UpdateType'] === 'Postponed'
    return id !== null && isGone ? { kind: 'removed', id } : { kind: 'other' }
  }
  if (type === 'OperationChanged') {
    const id = orNull(asNumber, body['OperationId'], '$.OperationId')
    return id === null ? { kind: 'other' } : { kind: 'operation', id, frame: body }
  }
  if (type !== 'AlertRaised' && type !== 'PerformanceHint') return { kind: 'other' }
  return {
    kind: 'alert',
    alert: {
      id: asString(body['Id'], '$.Id'),
      createdTicks: ticksOrNull(text('CreatedAt')),
      type,
      kind: text('Reason') ?? text('AlertType') ?? text('HintType'),
      severity: text('Severity') ?? 'Info',
      title: text('Title') ?? '',
      message: text('Message'),
      database: text('Database'),
      exception:
        orNull(asString, orNull(asObject, body['Details'], '$.Details')?.['Exception'], '$.Details.Exception')?.slice(
          0,
          MOST_CHARACTERS,
        ) ?? null,
    },
  }
}
