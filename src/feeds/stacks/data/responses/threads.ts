import type { Bytes } from '../../../../base/brand.ts'
import type { TickSpan } from '../../../../base/ticks.ts'
import type { LiveThreads } from '../live/live.ts'
import { tryMatch } from '../pattern.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { StackLine } from '../../contract/jobs.ts'
import type { ThreadIo, ThreadRow, ThreadsResponse, ThreadsParams, ThreadSort } from '../../contract/threads.ts'
import { WAIT_KINDS } from '../../contract/jobs.ts'
import type { StackStore } from '../table.ts'
import { FLAG_SAMPLED } from '../table.ts'
import type { FrameSearch } from '../trees/search.ts'
import { lineOf } from '../waits.ts'
import type { Joined, JoinedThreads } from './joined.ts'
import { cpuOf, joinThreads, waitOf } from './joined.ts'

export function threadsResponse(
  store: StackStore,
  live: LiveThreads,
  search: FrameSearch,
  params: ThreadsParams,
): ThreadsResponse {
  const joined = joinThreads(store, live, params.snapshot, params.live)
  const { matches, error } = tryMatch(params.match)
  const inFrames = params.match.text === '' ? null : search.matched(store.frames, params.match).matched
  const jobs = params.jobs === null ? null : new Set(params.jobs)
  const waits = params.waits === null ? null : new Set(params.waits.map((wait) => WAIT_KINDS.indexOf(wait)))
  const facts = new ThreadFacts(store, joined)
  const found = joined.threads.filter((thread) => {
    if (jobs !== null && !jobs.has(thread.job.key)) return false
    if (params.threadIds !== null && !params.threadIds.includes(thread.id)) return false
    if (waits !== null && !waits.has(waitOf(joined, thread))) return false
    if (inFrames === null || error !== null) return true
    const { label, database } = thread.job
    return (
      matches(thread.name) ||
      matches(String(thread.id)) ||
      matches(label) ||
      (database !== null && matches(database)) ||
      facts.path(thread).some((frame) => inFrames[frame] === 1)
    )
  })
  const rows = sorted(found, facts, params.sort, params.descending)
    .slice(params.offset, params.offset + params.limit)
    .map((thread) => facts.row(thread))
  return { total: joined.threads.length, matched: found.length, matchError: error, rows }
}

/** Sorts threads; unknown figures are last in either direction. */
function sorted(threads: readonly Joined[], facts: ThreadFacts, sort: ThreadSort, descending: boolean): Joined[] {
  const keyed = threads.map((thread) => ({ thread, key: facts.key(thread, sort) }))
  const sign = descending ? -1 : 1
  keyed.sort((a, b) => {
    const isMissing = Number(isUnknown(a.key)) - Number(isUnknown(b.key))
    if (isMissing !== 0) return isMissing
    return sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.thread.id - b.thread.id
  })
  return keyed.map(({ thread }) => thread)
}

const isUnknown = (key: number | string): boolean => key === '' || Number.isNaN(key)

/** All shown facts about a thread, from the snapshot and the live list. */
export class ThreadFacts {
  readonly #store: StackStore
  readonly #joined: JoinedThreads

  constructor(store: StackStore, joined: JoinedThreads) {
    this.#store = store
    this.#joined = joined
  }

  /** Frames, innermost first; empty: no stack. */
  path({ row }: Joined): FrameId[] {
    return row === -1 ? [] : this.#store.stacks.path(this.#joined.snapshot?.rows.node[row] ?? 0)
  }

  key(thread: Joined, sort: ThreadSort): number | string {
    switch (sort) {
      case 'cpu':
        return cpuOf(this.#joined, thread)
      case 'cpuSince':
        return this.#cpuSinceMs(thread)
      case 'totalCpu':
        return this.#totalMs(thread)
      case 'userCpu':
        return this.#userMs(thread)
      case 'kernelCpu':
        return this.#totalMs(thread) - this.#userMs(thread)
      case 'name':
        return thread.name
      case 'job':
        return `${thread.job.label} ${thread.job.database ?? ''}`
      case 'id':
        return thread.id
      case 'state':
        return this.#state(thread) ?? ''
      case 'priority':
        return PRIORITY_ORDER.indexOf(this.#priority(thread) ?? '')
      case 'age':
        return this.#ageTicks(thread)
      case 'allocated':
        return this.#allocated(thread)
      case 'read':
        return this.#io(thread)?.readBytesPerSecond ?? Number.NaN
      case 'write':
        return this.#io(thread)?.writeBytesPerSecond ?? Number.NaN
      case 'wait': {
        const wait = waitOf(this.#joined, thread)
        return wait < WAIT_KINDS.length ? wait : Number.NaN
      }
      case 'depth':
        return thread.row === -1 ? Number.NaN : this.path(thread).length
    }
  }

  row(thread: Joined): ThreadRow {
    const { live, row } = thread
    const identity = this.#store.identities[this.#joined.snapshot?.rows.identity[row] ?? -1]
    const managed = live?.managedId ?? identity?.managedId ?? Number.NaN
    const totalCpuMs = this.#totalMs(thread)
    const userCpuMs = this.#userMs(thread)
    const allocated = this.#allocated(thread)
    const reason = live === null ? this.#word(row, 'waitReason') : live.waitReason
    return {
      id: thread.id,
      managedId: Number.isNaN(managed) ? null : managed,
      name: thread.name,
      job: thread.job,
      seen: live === null ? 'snapshot' : row === -1 ? 'live' : 'both',
      cpuPercent: cpuOf(this.#joined, thread),
      cpuSinceSnapshotMs: this.#cpuSinceMs(thread),
      totalCpuMs,
      userCpuMs,
      kernelCpuMs: Math.max(0, totalCpuMs - userCpuMs),
      allocatedBytes: Number.isNaN(allocated) ? null : (allocated as Bytes),
      io: this.#io(thread),
      state: this.#state(thread),
      priority: this.#priority(thread),
      waitReason: reason === 'Unknown' ? null : reason,
      ageTicks: this.#ageTicks(thread) as TickSpan,
      stack: this.#stack(thread),
      line: this.line(thread),
    }
  }

  line({ row }: Joined): StackLine | null {
    const rows = this.#joined.snapshot?.rows
    if (row === -1 || rows === undefined || ((rows.flags[row] as number) & FLAG_SAMPLED) === 0) return null
    return lineOf({
      wait: rows.wait[row] as number,
      rule: rows.waitRule[row] as number,
      primitive: rows.primitive[row] as number,
      run: rows.run[row] as number,
    })
  }

  #stack(thread: Joined): ThreadRow['stack'] {
    const rows = this.#joined.snapshot?.rows
    const { row } = thread
    if (rows === undefined || row === -1 || ((rows.flags[row] as number) & FLAG_SAMPLED) === 0) return null
    return { node: rows.node[row] as number, depth: this.path(thread).length }
  }

  #number(row: number, column: 'totalCpuMs' | 'userCpuMs' | 'allocatedBytes'): number {
    return row === -1 ? Number.NaN : (this.#joined.snapshot?.rows[column][row] ?? Number.NaN)
  }

  #word(row: number, column: 'state' | 'priority' | 'waitReason'): string | null {
    return row === -1 ? null : (this.#store.words[this.#joined.snapshot?.rows[column][row] ?? 0] ?? null)
  }

  #totalMs({ live, row }: Joined): number {
    return live?.totalCpuMs ?? this.#number(row, 'totalCpuMs')
  }

  #userMs({ live, row }: Joined): number {
    return live?.userCpuMs ?? this.#number(row, 'userCpuMs')
  }

  /** Difference of the live list's counter and the snapshot's; NaN for a list that is older than the snapshot. */
  #cpuSinceMs({ live, row }: Joined): number {
    const { snapshot, list } = this.#joined
    if (live === null || snapshot === null || list === null || list.atTicks <= snapshot.info.atTicks) return Number.NaN
    const ms = live.totalCpuMs - this.#number(row, 'totalCpuMs')
    return ms < 0 ? Number.NaN : ms
  }

  #allocated({ live, row }: Joined): number {
    return live?.allocatedBytes ?? this.#number(row, 'allocatedBytes')
  }

  #state({ live, row }: Joined): string | null {
    return live === null ? this.#word(row, 'state') : live.state
  }

  #priority({ live, row }: Joined): string | null {
    return live === null ? this.#word(row, 'priority') : live.priority
  }

  #startTicks({ live, row }: Joined): number {
    return (
      live?.startTicks ??
      this.#store.identities[this.#joined.snapshot?.rows.identity[row] ?? -1]?.startTicks ??
      Number.NaN
    )
  }

  #ageTicks(thread: Joined): number {
    const nowTicks = thread.live === null ? this.#joined.snapshot?.info.atTicks : this.#joined.list?.atTicks
    return (nowTicks ?? Number.NaN) - this.#startTicks(thread)
  }

  #io({ live, row }: Joined): ThreadIo | null {
    if (live !== null) return live.io
    const columns = row === -1 ? null : (this.#joined.snapshot?.rows.io ?? null)
    if (columns === null) return null
    const [read, write] = columns.map((column) => column[row] ?? Number.NaN)
    if (read === undefined || Number.isNaN(read)) return null
    return {
      readBytesPerSecond: read,
      writeBytesPerSecond: write ?? Number.NaN,
    }
  }
}

const PRIORITY_ORDER = ['Idle', 'Lowest', 'BelowNormal', 'Normal', 'AboveNormal', 'Highest', 'TimeCritical']
