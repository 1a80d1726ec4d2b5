import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import type { CaptureClient } from '../../capture/client/client.ts'
import type { Governor } from '../../ravendb/governor/governor.ts'
import type { JsonObject } from '../../base/json/check.ts'
import { ticksFromMs } from '../../base/ticks.ts'
import { ActionRunner } from '../../actions/client/action-runner.ts'
import { isFinished, type ActivityEntry } from '../../actions/client/activity-entry.ts'
import { ActivityLog } from '../../actions/client/activity-log.ts'
import type { SaveTarget } from '../../ui/save.ts'
import type { ActionCall } from '../../actions/model.ts'
import { actionResponses } from '../../actions/worker/responses.ts'

interface Side {
  readonly file?: File
  readonly payload?: Blob
  /** Takes the pieces of a file that comes. */
  readonly received?: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Cancels the file on its way once the entry is like that. */
  readonly cancelWhen?: (entry: ActivityEntry) => boolean
}

/** Page and worker of actions in one process of Node, without a page. */
export interface ActionDesk {
  /** Resolves when it is over. */
  readonly act: (call: ActionCall, side?: Side) => Promise<ActivityEntry>
  /** Ids of the server's own notifications that its socket reports. */
  readonly serverAlerts: () => ReadonlySet<string>
  readonly close: () => void
}

type Response = (params: unknown, governor: Governor, signal: AbortSignal) => unknown

export async function actionDesk(governor: Governor, url: string): Promise<ActionDesk> {
  const alerts = new Set<string>()
  const operations = new Map<unknown, JsonObject>()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/server/notification-center/watch`)
  socket.on('message', (data: Buffer) => {
    const text = data.toString().trim()
    if (text === '') return
    const frame = JSON.parse(text) as JsonObject
    if (frame['Type'] === 'NotificationUpdated') alerts.delete(String(frame['NotificationId']))
    else if (frame['Type'] === 'OperationChanged') operations.set(frame['OperationId'], frame)
    else if (typeof frame['Id'] === 'string') alerts.add(frame['Id'])
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))

  const { signal } = new AbortController()
  const { responses } = actionResponses({
    serverAlerts: () => alerts,
    operationFrames: () => [...operations.values()],
  })
  const request = (name: string, params: unknown): Promise<unknown> =>
    Promise.resolve((responses as unknown as Record<string, Response>)[name]?.(params, governor, signal))
  const client = { request, getState: () => ({ nowTicks: ticksFromMs(Date.now()) }) } as unknown as CaptureClient
  const log = new ActivityLog()
  let ids = 0
  const env = {
    nowMs: () => Date.now(),
    wait: (ms: number) => sleep(ms),
    alone: (_: string, run: () => Promise<void>) => run(),
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    forbidden: () => undefined,
  }
  const runner = new ActionRunner(client, log, env, () => Promise.resolve())

  const act = async (call: ActionCall, { file, payload, received, cancelWhen }: Side = {}): Promise<ActivityEntry> => {
    const target: SaveTarget = {
      isDownload: false,
      write: (piece) => Promise.resolve(received?.(piece)),
      finish: () => Promise.resolve(),
      discard: () => Promise.resolve(),
    }
    const side = {
      ...(file === undefined ? {} : { file }),
      ...(payload === undefined ? {} : { payload }),
      ...(received === undefined ? {} : { target }),
    }
    const id = await runner.start(url, call, call.action, side)
    for (;;) {
      const entry = log.get(id)
      if (entry !== null && isFinished(entry)) return entry
      if (entry !== null && cancelWhen?.(entry) === true) runner.cancelTransfer(id)
      await sleep(50)
    }
  }
  return { act, serverAlerts: () => alerts, close: () => socket.close() }
}
