import { GREW_TICKS, SATURATED_CPU_PERCENT } from '../../../ravendb/limits.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { FailingPolls } from './figures/databases/failing-indexes.ts'
import type { History } from './history/history.ts'
import type { ServerInput } from './model-inputs.ts'
import type { ServerModel } from './model.ts'

/**
 * Interval between two judgements while figures are collected, ms. Short enough to know the start of a lasting finding.
 */
const JUDGE_EVERY_MS = 5000

/**
 * Interval between two judgements while recording without a page, ms. A condition that lasts for less is a row in the
 * recording, not a finding.
 */
const JUDGE_RECORDED_EVERY_MS = 15_000

interface JudgingHost {
  /** Whether no user views it. */
  readonly isUnseen: () => boolean
  /** Model and history of the server that is at this address now. */
  readonly known: () => { readonly model: ServerModel; readonly history: History }
  readonly judge: (governor: Governor) => void
  /** Takes the response to a request that was made for a finding. */
  readonly collected: (input: ServerInput, governor: Governor) => void
}

/** Periodic work while this page collects figures: judges findings, and sets the pace of all requests. */
export class Judging {
  readonly #host: JudgingHost
  /** Source of failing indexes; null: no database has had errors. */
  #failing: FailingPolls | null = null
  /** Value of `findings.changes` when the log was last written. */
  #keptChanges = 0
  #judgedMs = Number.NEGATIVE_INFINITY

  constructor(host: JudgingHost) {
    this.#host = host
  }

  /** Runs the work now and schedules the next run. `isOn`: whether this page still collects. */
  again(governor: Governor, isOn: () => boolean): void {
    if (!isOn()) return
    const nowMs = governor.env.now()
    if (!this.#host.isUnseen() || nowMs - this.#judgedMs >= JUDGE_RECORDED_EVERY_MS) {
      this.#judgedMs = nowMs
      this.#host.judge(governor)
      this.#keepFindings(governor)
      void this.#pollFailing(governor, isOn)
    }
    governor.overhead.setStress(this.#stress(governor))
    governor.env.setTimeout(() => this.again(governor, isOn), JUDGE_EVERY_MS)
  }

  /** Reads failing indexes, so that a finding can name them, also an index whose errors grow later. */
  async #pollFailing(governor: Governor, isOn: () => boolean): Promise<void> {
    const { model } = this.#host.known()
    const nowTicks = model.nowTicks(governor.env.now()) ?? Number.NaN
    // Databases with a finding come first. The others are read once, so that later errors can be attributed to an
    // index.
    const databases = [...model.databases.withErrors(nowTicks - GREW_TICKS), ...model.databases.withAnyErrors(nowTicks)]
    if (databases.length === 0) return
    // Fails if the server that delivers the code is gone. Retried with the next judgement.
    const part = await import('./figures/databases/failing-indexes.ts').catch(() => null)
    if (part === null) return
    this.#failing ??= new part.FailingPolls()
    const reported = await this.#failing.next(governor, databases)
    if (reported === null || !isOn()) return
    this.#host.collected({ kind: 'failing', ...reported, atMs: governor.env.now() }, governor)
  }

  /** Saves at once when a finding appears or is over, so that a reload soon after does not lose its start. */
  #keepFindings(governor: Governor): void {
    const { model, history } = this.#host.known()
    const { changes } = model.findings
    if (changes === this.#keptChanges) return
    this.#keptChanges = changes
    void history.save(governor.env.now())
  }

  /** Reason for a slower pace in the server's own figures; null: none. */
  #stress(governor: Governor): string | null {
    const { model } = this.#host.known()
    const nowTicks = model.nowTicks(governor.env.now())
    if (nowTicks === null) return null
    // A server that may use few cores of its machine can be out of CPU alone.
    for (const key of ['cpu.machine', 'cpu.process']) {
      const { min, mean, count } = model.series.recent(key, nowTicks, 10_000)
      if (count >= 5 && min >= SATURATED_CPU_PERCENT) return `CPU saturated (${Math.round(mean)} % over 10 s)`
    }
    return model.isShortOfCredits ? 'The machine’s CPU credits are nearly used up' : null
  }
}
