import type { JsonObject } from '../../../../base/json/check.ts'
import { Fields } from '../../../../base/json/fields.ts'
import type { ServerAlert } from '../../contract/alerts.ts'

/** Frame of `/server/notification-center/watch`. The socket first reports all persistent alerts, then changes. */
export type Notification =
  | { readonly kind: 'alert'; readonly alert: ServerAlert }
  /** An alert was dismissed or postponed, by any client. */
  | { readonly kind: 'removed'; readonly id: string }
  /** Topology, with the same fields as `/cluster/topology`. */
  | { readonly kind: 'topology'; readonly response: unknown }
  /**
   * A long operation of the server itself began, progressed or ended. The frame is kept unread, since few pages need
   * more of it.
   */
  | { readonly kind: 'operation'; readonly id: number; readonly frame: JsonObject }
  | { readonly kind: 'other' }

/**
 * Database that a frame reports as created, loaded, enabled, disabled or deleted; null: the frame reports no such
 * change.
 */
export function changedDatabase(frame: string): string | null {
  if (!frame.includes('"DatabaseChanged"')) return null
  try {
    const body = new Fields(JSON.parse(frame))
    return body.text('Type') === 'DatabaseChanged' ? body.text('DatabaseName') : null
  } catch {
    return null
  }
}

/** Maximum length of texts, which come from the server and may be of any length. */
const MOST_CHARACTERS = 2000

/** Reads a notification. The kind of an alert is `Reason` on 7.1 and `AlertType` before. Errors: `ParseError`. */
export function readNotification(frame: unknown): Notification {
  const body = new Fields(frame)
  const type = body.text('Type')
  const text = (name: string, of: Fields | null = body): string | null =>
    of?.textOrNull(name)?.slice(0, MOST_CHARACTERS) ?? null
  if (type === 'ClusterTopologyChanged') return { kind: 'topology', response: body.all }
  if (type === 'NotificationUpdated') {
    const id = text('NotificationId')
    const isGone = ['Dismissed', 'Postponed'].includes(text('UpdateType') ?? '')
    return id !== null && isGone ? { kind: 'removed', id } : { kind: 'other' }
  }
  if (type === 'OperationChanged') {
    const id = body.numberOrNull('OperationId')
    return id === null ? { kind: 'other' } : { kind: 'operation', id, frame: body.all }
  }
  if (type !== 'AlertRaised' && type !== 'PerformanceHint') return { kind: 'other' }
  return {
    kind: 'alert',
    alert: {
      id: body.text('Id'),
      createdTicks: body.ticksOrNull('CreatedAt'),
      type,
      kind: text('Reason') ?? text('AlertType') ?? text('HintType'),
      severity: text('Severity') ?? 'Info',
      title: text('Title') ?? '',
      message: text('Message'),
      database: text('Database'),
      exception: text('Exception', body.inOrNull('Details')),
    },
  }
}
