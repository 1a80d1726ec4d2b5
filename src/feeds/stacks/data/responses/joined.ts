import { FLAG_SAMPLED, NO_WAIT } from '../table.ts'
import type { Snapshot, StackStore } from '../table.ts'
import type { LiveList, LiveThreads } from '../live/live.ts'
import type { SnapshotId } from '../../contract/ids.ts'
import type { Job } from '../../contract/jobs.ts'
import type { ThreadInfo } from '../live/thread-info.ts'

/** A thread in a snapshot (row, −1: missing) and in the live list (null: missing). */
export interface Joined {
  readonly id: number
  readonly row: number
  readonly live: ThreadInfo | null
  readonly job: Job
  readonly name: string
}

export interface JoinedThreads {
  readonly snapshot: Snapshot | null
  readonly list: LiveList | null
  readonly threads: readonly Joined[]
}

/**
 * Joins the threads of a snapshot and of the live list, by id. The system reuses ids: with another start time it is
 * another thread. If there is a stack, the job of the snapshot is used, since it shows for whom a pool thread works.
 */
export function joinThreads(
  store: StackStore,
  live: LiveThreads,
  snapshotId: SnapshotId | null,
  withLive: boolean,
): JoinedThreads {
  const snapshot = snapshotId === null ? null : (store.snapshots.get(snapshotId) ?? null)
  const list = withLive ? live.list : null
  const threads: Joined[] = []
  const taken = new Set<number>()
  const rows = snapshot?.rows
  for (let row = 0; row < (rows?.length ?? 0); row++) {
    const identity = store.identities[rows?.identity[row] ?? -1]
    if (rows === undefined || identity === undefined) continue
    const found = list?.threads.get(identity.id)
    const isSame = found !== undefined && isSameStart(found.startTicks, identity.startTicks)
    if (isSame) taken.add(identity.id)
    const job = store.job(rows.job[row] as number)
    const hasStack = ((rows.flags[row] as number) & FLAG_SAMPLED) !== 0
    const reported = isSame && (!hasStack || job.kind === 'unrecognised') ? live.job(found.name) : job
    const name = identity.name === '' && isSame ? found.name : identity.name
    threads.push({ id: identity.id, row, live: isSame ? found : null, job: reported, name })
  }
  for (const thread of list?.threads.values() ?? [])
    if (!taken.has(thread.id))
      threads.push({ id: thread.id, row: -1, live: thread, job: live.job(thread.name), name: thread.name })
  return { snapshot, list, threads }
}

const isSameStart = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b) || a === b

/** Index into `WAIT_KINDS`; `NO_WAIT`: no stack. */
export const waitOf = ({ snapshot }: JoinedThreads, { row }: Joined): number =>
  row === -1 ? NO_WAIT : (snapshot?.rows.wait[row] ?? NO_WAIT)

/** CPU in percent of all cores: current for a live thread, else in the snapshot. */
export const cpuOf = ({ snapshot }: JoinedThreads, { row, live }: Joined): number =>
  live?.cpuPercent ?? (row === -1 ? Number.NaN : (snapshot?.rows.cpuPercent[row] ?? Number.NaN))
