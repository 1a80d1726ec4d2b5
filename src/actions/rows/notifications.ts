import { asArray, asObject } from '../../base/json/check.ts'
import {
  AS_IT_WAS,
  type Action,
  type ActionCall,
  type ActionRequest,
  type CheckContext,
  type CheckResult,
} from '../model.ts'
import { checkReading } from './index-reading.ts'

/* Actions on a notification of the server or of a database. */

const requestTo =
  (verb: string, query: (call: ActionCall) => Readonly<Record<string, string>>) =>
  (call: ActionCall): ActionRequest => {
    const { database, name } = call.target
    return {
      method: 'POST',
      path: [...(database === null ? ['server'] : ['databases', database]), 'notification-center', verb],
      query: { id: name ?? '', ...query(call) },
    }
  }

const GONE: CheckResult = { state: 'done', text: 'The server does not list it any more.' }
const LISTED: CheckResult = { state: 'unchanged', text: 'The server still lists it.' }

/** Notifications of the server are reported only by its socket. */
function check(context: CheckContext): Promise<CheckResult> {
  const { name } = context.call.target
  if (context.call.target.database !== null)
    return checkReading(context, async (database) => {
      const all = asObject(await context.read('databaseNotifications', { database }), '$')['Results']
      const isListed = asArray(all, '$.Results').some((item, i) => asObject(item, `$.Results[${i}]`)['Id'] === name)
      return isListed ? LISTED : GONE
    })
  if (context.serverAlerts === null)
    return Promise.resolve({ state: 'unknown', text: 'The notifications of the server are not received now.' })
  return Promise.resolve(context.serverAlerts.has(name ?? '') ? LISTED : GONE)
}

const words = ({ target }: ActionCall): string =>
  target.database === null ? 'The notification of the server' : `The notification of “${target.database}”`

const COMMON = {
  onFailure: AS_IT_WAS,
  target: 'notification',
  right: 'DatabaseWrite',
  serverRight: 'Operator',
  removes: true,
} satisfies Partial<Action>

const HOUR_SECONDS = 3600

export const NOTIFICATION_ACTIONS: readonly Action[] = [
  {
    ...COMMON,
    id: 'notification.postpone',
    title: 'Postpone',
    done: 'Postponed',
    confirm: 'none',
    applies: ({ isOfServer }) => isOfServer === true,
    presets: [
      { text: 'Postpone for 1 hour', inputs: { seconds: String(HOUR_SECONDS) } },
      { text: 'Postpone for 1 day', inputs: { seconds: String(24 * HOUR_SECONDS) } },
      { text: 'Postpone for 1 week', inputs: { seconds: String(7 * 24 * HOUR_SECONDS) } },
    ],
    request: requestTo('postpone', ({ inputs }) => ({ timeInSec: inputs['seconds'] ?? String(HOUR_SECONDS) })),
    consequence: (call) => `${words(call)} is hidden from all clients until then; the cause goes on.`,
    loss: () => null,
    read: 'that the socket of notifications reports it as postponed; a database does not list what is postponed, so it is offered for notifications of the server only',
    check,
  },
  {
    ...COMMON,
    id: 'notification.dismiss',
    title: 'Dismiss',
    done: 'Dismissed',
    confirm: 'confirm',
    applies: () => true,
    request: requestTo('dismiss', () => ({ forever: 'false' })),
    consequence: (call) =>
      `${words(call)} is removed for all clients. The server raises it again when its cause occurs again.`,
    loss: () => 'The notification with its details.',
    read: 'that `notifications` of the database, or the socket of the server, does not have it',
    check,
  },
]
