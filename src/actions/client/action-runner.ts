import { errorText } from '../../base/text/error-text.ts'
import { Observed } from '../../base/observed.ts'
import { formatBytes } from '../../base/text/format.ts'
import { serverTicks } from '../../capture/client/server-ticks.ts'
import type { CaptureClient } from '../../capture/client/client.ts'
import { CaptureError } from '../../capture/client/client.ts'
import type { ErrorInfo } from '../../capture/client/state.ts'
import { isNotApplied } from '../../ravendb/errors/write-errors.ts'
import type { SaveTarget } from '../../ui/save.ts'
import type { Figures } from '../figures.ts'
import { actionById } from '../table.ts'
import { CANCELLED, type ActionCall, type CheckResult, type OperationMark } from '../model.ts'
import { repeatOf } from './repeat.ts'
import { saveDownload } from './save-download.ts'
import { isFinished, type ActivityEntry } from './activity-entry.ts'
import { type ActivityLog } from './activity-log.ts'

/**
 * Time, ms, after which an accepted action without a change of state counts as without effect. Here and below, time in
 * which the server does not answer is not counted: a stopped server processes what it received when it continues.
 */
const SETTLE_MS = 5000
/** Time, ms, for which the server may still work on a request whose response was lost (cluster: 15 s). */
const UNKNOWN_MS = 20_000

/** Whether something between page and server refused it, so that the server most likely received nothing. */
const isRefusedOnTheWay = (error: ErrorInfo | null): boolean => {
  const status = error?.status ?? 0
  return status >= 400 && status < 500 && status !== 408
}
/** Time, ms, after which an unreadable state stays unknown. */
const UNREADABLE_MS = 120_000

/** Files of an action that are not kept in the activity. */
export interface FileSide {
  /** File to send. */
  readonly file?: File
  /** The body of an action with a `payload`. */
  readonly payload?: Blob
  /** Place where a received file is saved. */
  readonly target?: SaveTarget
}

export interface RunnerEnv {
  readonly nowMs: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Holds a lock of that name, over all pages of the browser, while `run` runs; does nothing if it is taken. */
  readonly alone: (name: string, run: () => Promise<void>) => Promise<void>
  /** New id, a GUID. */
  readonly newId: () => string
  /** Called when the server refused an action for lack of a right. */
  readonly forbidden: () => void
}

/** Size of a payload that takes a while to send, bytes. */
const LONG_PAYLOAD = 1024 * 1024

/** Whether the action ends with the page, so that the browser warns before leaving it. */
const isBound = ({ file, target, payload }: FileSide): boolean =>
  file !== undefined || target !== undefined || (payload?.size ?? 0) >= LONG_PAYLOAD

/** Pause, ms, before it is read how much of a file was sent. */
const SENT_EVERY_MS = 500

/** Time limit, ms, for reading figures beside a request: neither the request nor its result waits for a slow server. */
const MEASURE_MS = 2000

/** Pause between two checks, ms; longer for an action that takes longer. */
const pauseMs = (elapsedMs: number): number => (elapsedMs < 2000 ? 300 : elapsedMs < 20_000 ? 1000 : 5000)

/** Whether the server sent −1, for a cluster command that it did not issue. */
const issuedNothing = (response: unknown): boolean =>
  typeof response === 'object' &&
  response !== null &&
  'RaftCommandIndex' in response &&
  response.RaftCommandIndex === -1

/** Parts of an entry that a retry keeps. */
type Kept = Pick<ActivityEntry, 'id' | 'server' | 'call' | 'title' | 'attempts' | 'accepted' | 'undoneBy'>

/** `progressed`: last progress of what ended in another way than it should; empty: none was read. */
const withProgress = (text: string, progressed: string): string =>
  progressed === '' ? text : `${text} Last reading: ${progressed}`

/** Sends an action once for each click, and follows it to its final state. */
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

  /** Number of activities that end with this page: files in transfer, and groups of calls that are not all sent. */
  readonly bound = new Observed(0)

  constructor(client: CaptureClient, log: ActivityLog, env: RunnerEnv, ready: () => Promise<void>) {
    this.#client = client
    this.#log = log
    this.#env = env
    this.#ready = ready
  }

  /**
   * Sends a call and resolves with the entry's id once the server has answered, or failed to. Never throws. While an
   * equal call is pending it is not sent again: a second click was meant for the first one. Another file makes another
   * call, whatever its name.
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

  /** Cancels the file of an entry; the result is then read as usual. */
  cancelTransfer(id: string): void {
    // Fails if the worker is gone, and the transfer with it; the entry's check reports that.
    void this.#client.request('actions.saved', { requestId: id, error: CANCELLED }).catch(() => undefined)
  }

  /** Sends it again for the user, with the same id, so that the cluster does not execute it twice. */
  async retry(id: string, call?: ActionCall): Promise<void> {
    const entry = this.#log.get(id)
    if (entry === null || repeatOf(entry) === 'none') return
    // Figures measured around the first attempt do not apply to this one.
    const again = this.#begun({ ...entry, call: call ?? entry.call, attempts: entry.attempts + 1, accepted: null })
    this.#log.put(again)
    await this.#send(again, {})
  }

  /** An entry that starts now, without measured figures. */
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

  /** Reads the state of an entry that ended as unknown once more. */
  checkAgain(id: string): void {
    const entry = this.#log.get(id)
    if (entry === null || entry.state !== 'unknown') return
    this.#follow({ ...entry, state: 'checking', endedMs: null, endedTicks: null }, false)
  }

  /** Continues the checks of actions that a closed page has started. */
  adopt(server: string): void {
    for (const entry of this.#log.getSnapshot())
      if (entry.server === server && !isFinished(entry))
        this.#follow(entry.state === 'sending' ? { ...entry, state: 'checking' } : entry, entry.accepted !== null)
  }

  /** Resolves when the server has answered. The checks continue, and no other page takes part in them. */
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

  /** Runs something that ends with this page. */
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
      const sending = this.#client.request('actions.send', {
        call,
        requestId,
        ...(file === undefined ? {} : { file }),
        ...(payload === undefined ? {} : { payload }),
      })
      if (actionById(call.action)?.isUpload === true && (payload?.size ?? 0) >= LONG_PAYLOAD)
        void this.#showSent(entry, sending)
      const outcome = await sending
      if (outcome.outcome !== 'accepted') void target?.discard()
      else if (target !== undefined) void saveDownload(this.#client, requestId, target)
      if (outcome.outcome === 'accepted')
        return this.#change(entry, { state: 'running', text: '', progress: null, accepted: outcome.response })
      if (outcome.outcome === 'unknown') {
        const { error } = outcome
        return this.#change(entry, { state: 'checking', text: causeOf(error), progress: null, error })
      }
      const { error } = outcome
      if (error.status === 403) this.#env.forbidden()
      const missing =
        error.kind === 'database-missing' ? causeOf(error) : error.status === 403 ? null : await this.#goneBeside(entry)
      this.#end(
        entry,
        missing === null
          ? { state: 'failed', text: causeOf(error), progress: null, error }
          : { state: 'gone', text: missing, progress: null, error },
      )
      return null
    } catch (error) {
      // The worker is gone, so whether the request was sent is not known.
      return this.#change(entry, { state: 'checking', progress: null, error: infoOf(error) })
    }
  }

  /** Shows how much of a payload was sent until the server has responded. */
  async #showSent({ id }: ActivityEntry, sending: Promise<unknown>): Promise<void> {
    const over = new AbortController()
    const end = (): void => over.abort()
    sending.then(end, end)
    while (!over.signal.aborted) {
      await this.#env.wait(SENT_EVERY_MS)
      const sent = await this.#client.request('actions.sentBytes', { requestId: id }).catch(() => null)
      const entry = this.#log.get(id)
      if (entry?.state !== 'sending' || sent?.totalBytes == null) continue
      const text = `${formatBytes(sent.bytes)} of ${formatBytes(sent.totalBytes)} sent.`
      this.#change(entry, { text, progress: sent.bytes / sent.totalBytes })
    }
  }

  #follow(entry: ActivityEntry, isAccepted: boolean): void {
    void this.#env.alone(entry.id, () => this.#watch(this.#change(entry, {}), isAccepted))
  }

  async #watch(begun: ActivityEntry, isAccepted: boolean): Promise<void> {
    const fromMs = this.#env.nowMs()
    let entry = begun
    /** Time since which the state is unchanged, or else the start; null: last seen running, or not readable. */
    let settledMs: number | null = fromMs
    let readMs = fromMs
    /** Last progress that was read; empty: none. */
    let progressed = begun.progress === null ? '' : begun.text
    for (;;) {
      const requestedMs = this.#env.nowMs()
      const result = await this.#check(entry)
      const nowMs = this.#env.nowMs()
      if (settledMs !== null) settledMs += nowMs - requestedMs
      const { state, accepted, made } = result
      // An index that is gone from the list may still be held by a server that hangs.
      const late = entry.error !== null && isNotApplied(entry.error) ? ` ${entry.error.hint}` : ''
      const text = result.text + late
      if (accepted !== undefined) entry = this.#change(entry, { accepted })
      if (made !== undefined && made !== entry.made) entry = this.#change(entry, { made })
      const removedNothing =
        state === 'done' && actionById(entry.call.action)?.removes === true && issuedNothing(entry.accepted)
      if (state === 'gone' || removedNothing) return this.#end(entry, { state: 'gone', text, progress: null })
      if (state === 'done') return this.#done(entry, text)
      if (state === 'failed') {
        const { detail } = result
        return this.#end(entry, {
          state,
          text: withProgress(text, progressed),
          progress: null,
          ...(detail === undefined ? {} : { detail }),
        })
      }
      if (state === 'running') {
        settledMs = null
        if (result.progress !== undefined) progressed = text
        entry = this.#change(entry, { state: 'running', text, progress: result.progress ?? null })
      }
      if (state === 'unchanged') {
        settledMs ??= nowMs
        const settleMs = actionById(entry.call.action)?.settleMs
        const isOverSoon = isAccepted || isRefusedOnTheWay(entry.error) || entry.error?.message === CANCELLED
        const limitMs = isOverSoon ? (settleMs ?? SETTLE_MS) : UNKNOWN_MS
        if (result.isLast === true || nowMs - settledMs >= limitMs || issuedNothing(entry.accepted)) {
          const cause = entry.error === null ? '' : ` ${causeOf(entry.error)}`
          return this.#end(entry, { state: 'nothing', text: `Nothing has changed. ${text}${cause}`, progress: null })
        }
        if (isAccepted && entry.state === 'checking') entry = this.#change(entry, { state: 'running', text })
      }
      if (state === 'unknown') {
        settledMs = null
        // A state that was read before does not show that it is still running.
        entry = this.#change(entry, { state: 'checking', text, progress: null })
        // A server that has just begun an operation may not list it yet.
        const isOver = result.isLast === true && nowMs - fromMs >= SETTLE_MS
        if (isOver || nowMs - readMs >= UNREADABLE_MS)
          return this.#end(entry, { state: 'unknown', text: withProgress(text, progressed), progress: null })
      } else readMs = nowMs
      await this.#env.wait(pauseMs(nowMs - (settledMs ?? fromMs)))
    }
  }

  /** Ends an entry as done, and reads the figures that it was to change once more. */
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

  /** Current figures; null: not readable (in time); left out: the action has no such measure. */
  async #measured(call: ActionCall, tookMs: number | null): Promise<Figures['before'] | undefined> {
    const measure = actionById(call.action)?.measure
    if (measure === undefined || !('read' in measure)) return undefined
    const read = this.#client.request('actions.measure', { call, tookMs }).catch(() => null)
    // A response that takes longer would contain what the action has already changed.
    return tookMs === null ? Promise.race([read, this.#env.wait(MEASURE_MS).then(() => null)]) : read
  }

  /** Sentence that the target is gone although the action did nothing; null: it exists, or could not be read. */
  async #goneBeside(entry: ActivityEntry): Promise<string | null> {
    const result = await Promise.race([this.#check(entry), this.#env.wait(MEASURE_MS).then(() => null)])
    if (result === null) return null
    const isGone =
      result.state === 'gone' || (result.state === 'done' && actionById(entry.call.action)?.removes === true)
    return isGone ? result.text : null
  }

  /**
   * Mark of the operations before the call; null: the call begins no operation, or the mark could not be read (in
   * time), so that a lost response stays unknown.
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
    // Keeps what was added meanwhile, such as the entry that undid it, and its effect.
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
        message: errorText(error),
        serverMessage: null,
        hint: '',
      }
