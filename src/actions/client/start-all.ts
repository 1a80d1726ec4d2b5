import type { ActionCall } from '../model.ts'
import { actionById } from '../table.ts'
import type { FileSide } from './action-runner.ts'
import { isFinished } from './activity-entry.ts'
import type { Queue } from './queues.ts'
import type { ActionSession } from './session.ts'

/** Whether a call must wait for the end of the one before: a compaction or a backup uses a whole disk. */
export const waitsForEnd = (call: ActionCall): boolean => actionById(call.action)?.operation !== undefined

/** Starts the calls one after another: many at once burden the server, and each failure is seen on its own. */
export async function startAll(
  session: ActionSession,
  server: string,
  calls: readonly ActionCall[],
  title: string,
  side: FileSide = {},
): Promise<void> {
  const [first] = calls
  if (first === undefined) return
  if (calls.length === 1) return void (await session.runner.start(server, first, title, side))
  await session.runner.bind(() => startEach(session, server, calls, title))
}

async function startEach(
  { runner, log, queues }: ActionSession,
  server: string,
  calls: readonly ActionCall[],
  title: string,
): Promise<void> {
  const stopped = new AbortController()
  const isSlow = calls.some(waitsForEnd)
  let shown: Queue | null = null
  const show = (begun: number): void => {
    const now = isSlow && begun < calls.length ? { title, begun, calls, stop: () => stopped.abort() } : null
    queues.replace(shown, now)
    shown = now
  }
  for (const [i, call] of calls.entries()) {
    if (stopped.signal.aborted) break
    show(i + 1)
    const id = await runner.start(server, call, title)
    if (isSlow && i + 1 < calls.length) await ended(log, id, stopped.signal)
  }
  show(calls.length)
}

/** Resolves when the entry has ended, or the wait is aborted. */
const ended = (log: ActionSession['log'], id: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const see = (): void => {
      const entry = log.get(id)
      if (!signal.aborted && entry !== null && !isFinished(entry)) return
      stop()
      resolve()
    }
    const stop = log.subscribe(see)
    signal.addEventListener('abort', see)
    see()
  })
