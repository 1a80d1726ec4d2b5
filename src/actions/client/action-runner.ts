import { Observed } from '../../base/observed.ts'
import { serverTicks } from '../../capture/client/server-ticks.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { CaptureError } from '../../capture/client/client.ts'
import type { ErrorInfo } from '../../capture/client/state.ts'
import type { SaveTarget } from '../../ui/save.ts'
import type { Figures } from '../figures.ts'
import { actionById } from '../table.ts'
import { CANCELLED, type ActionCall, type CheckResult, type OperationMark } from '../model.ts'
import { canRetry } from './words.ts'
import { saveDownload } from './save-download.ts'
import { isFinished, isSettled, type ActivityEntry } from './activity-entry.ts'
import { type ActivityLog } from './activity-log.ts'

/**
 * Accepted, and the state is still what it was: after so long nothing has happened, ms. Here and below, time in which
 * the server did not answer does not count: what a stopped server has received it does when it goes on.
 */
const SETTLE_MS = 5000
/** The response was lost: the server may work on it for so long, ms. The cluster gives up a command after 15 s. */
const UNKNOWN_MS = 20_000

/** Something on the way refused it in place of the server, which has most likely received nothing. */
const isRefusedOnTheWay = (error: ErrorInfo | null): boolean => {
  const status = error?.status ?? 0
  return status >= 400 && status < 500 && status !== 408
}
/** The state cannot be read for so long: it stays unknown, ms. */
const UNREADABLE_MS = 120_000

/** Files that go with an action and are not kept in the activity. */
export interface FileSide {
  /** To be sent. */
  readonly file?: File
  /** The body of an action with a `payload`. */
  readonly payload?: Blob
  /** Where what comes is saved. */
  readonly target?: SaveTarget
}

export interface RunnerEnv {
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Holds a name for all pages of the browser while it runs; does nothing where another page holds it. */
  readonly alone: (name: string, run: () => Promise<void>) => Promise<void>
  /** A fresh id, as a GUID. */
  readonly newId: () => string
  /** The server refused one for want of a right. */
  readonly forbidden: () => void
}

/** A payload that takes its time to be sent, bytes. */
const LONG_PAYLOAD = 1024 * 1024

/** Whether the action ends with the page, so that the browser warns before the page is left. */
const isBound = ({ file, target, payload }: FileSide): boolean =>
  file !== undefined || target !== undefined || (payload?.size ?? 0) >= LONG_PAYLOAD

/** Longest time for reading beside a request, ms: neither it nor its outcome waits for a slow server. */
const MEASURE_MS = 2000

/** Longer the longer it goes on, ms. */
const pauseMs = (elapsedMs: number): number => (elapsedMs < 2000 ? 300 : elapsedMs < 20_000 ? 1000 : 5000)

/** The server may send −1 for a command of the cluster that it did not issue. */
const issuedNothing = (response: unknown): boolean =>
  typeof response === 'object' &&
  response !== null &&
  'RaftCommandIndex' in response &&
  response.RaftCommandIndex === -1

/** Parts of an entry that a retry keeps. */
type Kept = Pick<ActivityEntry, 'id' | 'server' | 'call' | 'title' | 'attempts' | 'accepted' | 'undoneBy'>

/** Sends an action once for each click, and reads the final state. */
export class ActionRunner {
  readonly #client: CaptureClient
  readonly #log: ActivityLog
  readonly #env: RunnerEnv
  /** Makes sure that the worker knows whether changes are allowed. */
  readonly #ready: () => Promise<void>
  /** Requests without a response yet, by their content. */
  readonly #sending = new Map<
    string,
    { readonly file: File | undefined; readonly payload: Blob | undefined; readonly id: Promise<string> }
  >()

  /** How much ends with this page: files on their way, and several calls of which some are yet to be sent. */
  readonly bound = new Observed(0)

  constructor(client: CaptureClient, log: ActivityLog, env: RunnerEnv, ready: () => Promise<void>) {
    this.#client = client
    this.#log = log
    this.#env = env
    this.#ready = ready
  }

  /**
   * Sends it now; resolves with the entry's id once the server has answered, or has not. Never throws. While the same is
   * still on its way it is not sent: a second click was meant for the first. Another file is something else, whatever its name.
   */
  async start(server: string, call: ActionCall, title: string, side: FileSide = {}): Promise<string> {
    const { action, target, inputs } = call
    const { file } = side
    const key = JSON.stringify([server, action, target, inputs])
    const known = this.#sending.get(key)
    if (known !== undefined && known.file === file && known.payload === side.payload) {
      void side.target?.discard()
      return known.id
    }
    const sending = {
      file,
      payload: side.payload,
      id: this.#started(server, call, title, side).finally(() => {
        if (this.#sending.get(key) === sending) this.#sending.delete(key)
      }),
    }
    this.#sending.set(key, sending)
    return sending.id
  }

  async #started(server: string, call: ActionCall, title: string, side: FileSide): Promise<string> {
    const id = this.#env.newId()
    const entry = this.#begun({ id, server, call, title, attempts: 1, accepted: null, undoneBy: null })
    this.#log.put(entry)
    await this.#send(entry, side)
    return id
  }

  /** Ends the file that goes with it; what became of it is read as ever. */
  cancelTransfer(id: string): void {
    // The request fails where the worker is gone, and the transfer ended with it: the watch of the entry says so.
    void this.#client.request('actions.saved', { requestId: id, error: CANCELLED }).catch(() => undefined)
  }

  /** Sends it again at the user’s wish, with the same id, so that the cluster does not execute it twice. */
  async retry(id: string, call?: ActionCall): Promise<void> {
    const entry = this.#log.get(id)
    if (entry === null || !isFinished(entry) || isSettled(entry) || !canRetry(entry)) return
    // The figures measured around the first attempt say nothing of this one.
    const again = this.#begun({ ...entry, call: call ?? entry.call, attempts: entry.attempts + 1, accepted: null })
    this.#log.put(again)
    await this.#send(again, {})
  }

  /** An entry that starts now, without anything measured. */
  #begun({ id, server, call, title, attempts, accepted, undoneBy }: Kept): ActivityEntry {
    return {
      id,
      server,
      call,
      title,
      startedTicks: this.#nowTicks(),
      endedTicks: null,
      startedMs: this.#env.nowMs(),
      endedMs: null,
      state: 'sending',
      text: '',
      progress: null,
      error: null,
      accepted,
      attempts,
      undoneBy,
    }
  }

  /** Reads the state of one that ended as unknown once more. */
  checkAgain(id: string): void {
    const entry = this.#log.get(id)
    if (entry === null || entry.state !== 'unknown') return
    this.#follow({ ...entry, state: 'checking', endedMs: null, endedTicks: null }, false)
  }

  /** Continues to check what a closed page had started. */
  adopt(server: string): void {
    for (const entry of this.#log.getSnapshot())
      if (entry.server === server && !isFinished(entry))
        this.#follow(entry.state === 'sending' ? { ...entry, state: 'checking' } : entry, entry.accepted !== null)
  }

  /** Resolves when the server has answered; what follows goes on, and no other page takes part in it. */
  #send(entry: ActivityEntry, side: FileSide): Promise<void> {
    return new Promise((resolve) => {
      const run = (): Promise<void> =>
        this.#env.alone(entry.id, async () => {
          const sent = await this.#sent(entry, side)
          resolve()
          if (sent !== null) await this.#watch(sent, sent.state === 'running')
        })
      void (isBound(side) ? this.bind(run) : run())
    })
  }

  /** Runs what ends with this page. */
  async bind(run: () => Promise<void>): Promise<void> {
    this.bound.set(this.bound.get() + 1)
    try {
      await run()
    } finally {
      this.bound.set(this.bound.get() - 1)
    }
  }

  /** Sends the request of an entry; null: the entry has ended. */
  async #sent(entry: ActivityEntry, { file, payload, target }: FileSide): Promise<ActivityEntry | null> {
    const { call, id: requestId } = entry
    try {
      await this.#ready()
      const [before, mark, gone] = await Promise.all([
        this.#measured(call, null),
        this.#markOperations(call),
        actionById(call.action)?.removes === true ? this.#goneBeside(entry) : null,
      ])
      if (gone !== null) {
        void target?.discard()
        this.#end(entry, { state: 'gone', text: `${gone} Nothing was sent.` })
        return null
      }
      if (before !== undefined) this.#change(entry, { figures: { before, after: null } })
      if (mark !== null) this.#change(entry, { mark })
      const outcome = await this.#client.request('actions.send', {
        call,
        requestId,
        ...(file === undefined ? {} : { file }),
        ...(payload === undefined ? {} : { payload }),
      })
      if (outcome.outcome !== 'accepted') void target?.discard()
      else if (target !== undefined) void saveDownload(this.#client, requestId, target)
      if (outcome.outcome === 'accepted') return this.#change(entry, { state: 'running', accepted: outcome.response })
      if (outcome.outcome === 'unknown')
        return this.#change(entry, { state: 'checking', text: causeOf(outcome.error), error: outcome.error })
      const { error } = outcome
      if (error.status === 403) this.#env.forbidden()
      const missing =
        error.kind === 'database-missing' ? causeOf(error) : error.status === 403 ? null : await this.#goneBeside(entry)
      this.#end(
        entry,
        missing === null ? { state: 'failed', text: causeOf(error), error } : { state: 'gone', text: missing, error },
      )
      return null
    } catch (error) {
      // The worker is gone, and with it whether the request had left.
      return this.#change(entry, { state: 'checking', error: infoOf(error) })
    }
  }

  #follow(entry: ActivityEntry, isAccepted: boolean): void {
    void this.#env.alone(entry.id, () => this.#watch(this.#change(entry, {}), isAccepted))
  }

  async #watch(begun: ActivityEntry, isAccepted: boolean): Promise<void> {
    const fromMs = this.#env.nowMs()
    let entry = begun
    /** Since when it is seen unchanged, or else when it started; null: it was seen running last, or could not be read. */
    let settledMs: number | null = fromMs
    let readMs = fromMs
    for (;;) {
      const askedMs = this.#env.nowMs()
      const result = await this.#check(entry)
      const nowMs = this.#env.nowMs()
      if (settledMs !== null) settledMs += nowMs - askedMs
      const { state, text, accepted, made } = result
      if (accepted !== undefined) entry = this.#change(entry, { accepted })
      if (made !== undefined && made !== entry.made) entry = this.#change(entry, { made })
      const removedNothing =
        state === 'done' && actionById(entry.call.action)?.removes === true && issuedNothing(entry.accepted)
      if (state === 'gone' || removedNothing) return this.#end(entry, { state: 'gone', text, progress: null })
      if (state === 'done') return this.#done(entry, text)
      if (state === 'failed') {
        const { detail } = result
        return this.#end(entry, { state, text, progress: null, ...(detail === undefined ? {} : { detail }) })
      }
      if (state === 'running') {
        settledMs = null
        entry = this.#change(entry, { state: 'running', text, progress: result.progress ?? null })
      }
      if (state === 'unchanged') {
        settledMs ??= nowMs
        const settleMs = actionById(entry.call.action)?.settleMs
        const isOverSoon = isAccepted || isRefusedOnTheWay(entry.error)
        const limitMs = isOverSoon ? (settleMs ?? SETTLE_MS) : UNKNOWN_MS
        if (result.isLast === true || nowMs - settledMs >= limitMs || issuedNothing(entry.accepted)) {
          const cause = entry.error === null ? '' : ` ${causeOf(entry.error)}`
          return this.#end(entry, { state: 'nothing', text: `Nothing has changed. ${text}${cause}`, progress: null })
        }
        if (isAccepted && entry.state === 'checking') entry = this.#change(entry, { state: 'running', text })
      }
      if (state === 'unknown') {
        settledMs = null
        // That it still runs was known before, not now.
        entry = this.#change(entry, { state: 'checking', text, progress: null })
        // A server that has just begun an operation may not know it yet.
        const isOver = result.isLast === true && nowMs - fromMs >= SETTLE_MS
        if (isOver || nowMs - readMs >= UNREADABLE_MS)
          return this.#end(entry, { state: 'unknown', text, progress: null })
      } else readMs = nowMs
      await this.#env.wait(pauseMs(nowMs - (settledMs ?? fromMs)))
    }
  }

  /** Ends an entry as done. The figures that it was to change are read after it, too. */
  async #done(entry: ActivityEntry, text: string): Promise<void> {
    const { call, accepted, startedMs } = entry
    const tookMs = this.#env.nowMs() - startedMs
    this.#end(entry, { state: 'done', text, progress: null })
    const measure = actionById(call.action)?.measure
    if (measure === undefined) return
    if ('answered' in measure) {
      const figures = measure.answered(accepted)
      if (figures !== null) this.#log.patch(entry.id, { figures })
      return
    }
    const after = (await this.#measured(call, tookMs)) ?? null
    this.#log.patch(entry.id, { figures: { before: this.#log.get(entry.id)?.figures?.before ?? null, after } })
  }

  /** Figures now; null: they could not be read (in time); left out: the action has no such measure. */
  async #measured(call: ActionCall, tookMs: number | null): Promise<Figures['before'] | undefined> {
    const measure = actionById(call.action)?.measure
    if (measure === undefined || !('read' in measure)) return undefined
    const read = this.#client.request('actions.measure', { call, tookMs }).catch(() => null)
    // A response that takes longer would be of what the action has already changed.
    return tookMs === null ? Promise.race([read, this.#env.wait(MEASURE_MS).then(() => null)]) : read
  }

  /**
   * Report that the target is gone although nothing was done to it; null: it is there, or that could not be read (in
   * time).
   */
  async #goneBeside(entry: ActivityEntry): Promise<string | null> {
    const result = await Promise.race([this.#check(entry), this.#env.wait(MEASURE_MS).then(() => null)])
    if (result === null) return null
    const isGone =
      result.state === 'gone' || (result.state === 'done' && actionById(entry.call.action)?.removes === true)
    return isGone ? result.text : null
  }

  /**
   * Mark of the operations before the call; null: it begins no operation, or it could not be read (in time): then a
   * lost response stays unknown.
   */
  async #markOperations(call: ActionCall): Promise<OperationMark | null> {
    if (actionById(call.action)?.operation === undefined) return null
    const read = this.#client.request('actions.markOperations', { call }).catch(() => null)
    return Promise.race([read, this.#env.wait(MEASURE_MS).then(() => null)])
  }

  async #check({ call, accepted, startedMs, figures, mark, made }: ActivityEntry): Promise<CheckResult> {
    try {
      return await this.#client.request('actions.check', {
        call,
        accepted,
        startedMs,
        before: figures?.before ?? null,
        ...(mark === undefined ? {} : { mark }),
        ...(made === undefined ? {} : { made }),
      })
    } catch (error) {
      return { state: 'unknown', text: infoOf(error).message }
    }
  }

  #change(entry: ActivityEntry, parts: Partial<ActivityEntry>): ActivityEntry {
    // Others add to it meanwhile: who undid it, and its effect.
    const changed = { ...entry, ...this.#log.get(entry.id), ...parts }
    this.#log.put(changed)
    return changed
  }

  #end(entry: ActivityEntry, parts: Partial<ActivityEntry>): void {
    this.#change(entry, { ...parts, endedMs: this.#env.nowMs(), endedTicks: this.#nowTicks() })
  }

  #nowTicks() {
    return serverTicks(this.#client.getState(), this.#env.nowMs())
  }
}

/** Cause in the server's words, or else in those of this page. */
export const causeOf = ({ serverMessage, message }: ErrorInfo): string =>
  serverMessage === null || serverMessage === '' ? message : serverMessage

const infoOf = (error: unknown): ErrorInfo =>
  error instanceof CaptureError
    ? error.info
    : {
        endpoint: '',
        status: null,
        message: error instanceof Error ? error.message : String(error),
        serverMessage: null,
        hint: '',
      }
