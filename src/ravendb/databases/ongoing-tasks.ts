import { asArray, asNumber, asObject, asString, orNull } from '../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../base/ticks.ts'

/** A backup, replication, ETL or subscription of a database. Null: not reported. */
export interface OngoingTask {
  readonly id: number
  readonly name: string
  /** `Backup`, `RavenEtl`, `Replication`, `Subscription`, … */
  readonly type: string
  /** `Enabled`, `Disabled`, `PartiallyEnabled`. */
  readonly state: string | null
  /** `Active`, `NotActive`, `Reconnect`, `NotOnThisNode`, … */
  readonly connection: string | null
  /** Tag of the node that runs the task. */
  readonly node: string | null
  readonly error: string | null
  /** Time of the last full backup; null for other tasks, as is the next field. */
  readonly lastFullTicks: Ticks | null
  readonly lastIncrementalTicks: Ticks | null
  readonly nextTicks: Ticks | null
  /** Absent or null: no subscription, or not reported. */
  readonly subscription?: SubscriptionProgress | null
}

export interface SubscriptionProgress {
  /**
   * Change vector up to which documents were sent to its client; null: none yet. On 7.1.5 it moves before the client has
   * acknowledged the batch.
   */
  readonly sent: string | null
  readonly acknowledgedTicks: Ticks | null
  /** Time at which a client last connected; null: never. */
  readonly connectedTicks: Ticks | null
}

export interface OngoingTasks {
  /** In the server's order, at most 500. */
  readonly tasks: readonly OngoingTask[]
  readonly total: number
}

const MOST_TASKS = 500

/** Reads `tasks` of a database. Errors: `ParseError`. */
export function readTasks(response: unknown): OngoingTasks {
  const body = asObject(response, '$')
  // 5.4 uses another name for the list.
  const list = asArray(body['OngoingTasks'] ?? body['OngoingTasksList'], '$.OngoingTasks')
  const tasks = list.slice(0, MOST_TASKS).map((item, row): OngoingTask => {
    const path = `$.OngoingTasks[${row}]`
    const task = asObject(item, path)
    const text = (field: string): string | null => orNull(asString, task[field], `${path}.${field}`)
    const node = orNull(asObject, task['ResponsibleNode'], `${path}.ResponsibleNode`)
    const next = orNull(asObject, task['NextBackup'], `${path}.NextBackup`)
    return {
      id: asNumber(task['TaskId'], `${path}.TaskId`),
      name: text('TaskName') ?? '',
      type: asString(task['TaskType'], `${path}.TaskType`),
      state: text('TaskState'),
      connection: text('TaskConnectionStatus'),
      node: orNull(asString, node?.['NodeTag'], `${path}.ResponsibleNode.NodeTag`),
      error: text('Error'),
      lastFullTicks: momentOf(text('LastFullBackup')),
      lastIncrementalTicks: momentOf(text('LastIncrementalBackup')),
      nextTicks: momentOf(orNull(asString, next?.['DateTime'], `${path}.NextBackup.DateTime`)),
      subscription:
        // 5.4 lists subscriptions with the id 0, and how far they are as if no client had ever connected.
        task['TaskType'] !== 'Subscription' || task['SubscriptionId'] === 0
          ? null
          : {
              sent: text('ChangeVectorForNextBatchStartingPoint'),
              acknowledgedTicks: momentOf(text('LastBatchAckTime')),
              connectedTicks: momentOf(text('LastClientConnectionTime')),
            },
    }
  })
  return { tasks, total: list.length }
}

function momentOf(text: string | null): Ticks | null {
  const ticks = parseTicks(text ?? '')
  return Number.isNaN(ticks) ? null : ticks
}
