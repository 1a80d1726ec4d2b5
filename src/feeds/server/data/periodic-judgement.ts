import { GREW_TICKS, SATURATED_CPU_PERCENT } from '../../../ravendb/limits.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { FailingAsker } from './figures/databases/failing-indexes.ts'
import type { History } from './history/history.ts'
import type { ServerInput } from './model-inputs.ts'
import type { ServerModel } from './model.ts'

/** Interval between two judgements while it is collected, so that the start of what lasts is known, ms. */
const JUDGE_EVERY_MS = 5000

/** The same while it is recorded without a page: what lasts for less than this is a row in the recording, not a finding. */
const JUDGE_RECORDED_EVERY_MS = 15_000

interface JudgingHost {
  /** No user looks at it. */
  readonly isUnseen: () => boolean
  /** Model and history of the server that has this address now. */
  readonly known: () => { readonly model: ServerModel; readonly history: History }
  readonly judge: (governor: Governor) => void
  /** Takes the response of a request for a finding. */
  readonly collected: (input: ServerInput, governor: Governor) => void
}

/** Regular work on the figures while this page collects them: findings, and the pace of all requests. */
export class Judging {
  readonly #host: JudgingHost
  /** Source of failing indexes; null: no database has had errors. */
  #failing: FailingAsker | null = null
  /** Changes of the log of findings, as it was written last. */
  #keptChanges = 0
  #judgedMs = Number.NEGATIVE_INFINITY

  constructor(host: JudgingHost) {
    this.#host = host
  }

  /** `isOn`: this page still collects. */
  again(governor: Governor, isOn: () => boolean): void {
    if (!isOn()) return
    const nowMs = governor.env.now()
    if (!this.#host.isUnseen() || nowMs - this.#judgedMs >= JUDGE_RECORDED_EVERY_MS) {
      this.#judgedMs = nowMs
      this.#host.judge(governor)
      this.#keepFindings(governor)
      void this.#askFailing(governor, isOn)
    }
    governor.overhead.setStress(this.#stress(governor))
    governor.env.setTimeout(() => this.again(governor, isOn), JUDGE_EVERY_MS)
  }

  /** A finding names its indexes, also the one whose errors grow later. */
  async #askFailing(governor: Governor, isOn: () => boolean): Promise<void> {
    const { model } = this.#host.known()
    const nowTicks = model.nowTicks(governor.env.now()) ?? Number.NaN
    // Those with a finding first. The others once, so that it is known of which index errors are that come later.
    const databases = [...model.databases.withErrors(nowTicks - GREW_TICKS), ...model.databases.withAnyErrors(nowTicks)]
    if (databases.length === 0) return
    // Its code does not come from a server that is gone: it is tried again with the next judgement.
    const part = await import('./figures/databases/failing-indexes.ts').catch(() => null)
    if (part === null) return
    this.#failing ??= new part.FailingAsker()
    const reported = await this.#failing.next(governor, databases)
    if (reported === null || !isOn()) return
    this.#host.collected({ kind: 'failing', ...reported, atMs: governor.env.now() }, governor)
  }

  /** At once when one came or is over: a reload a moment later must not forget since when. */
  #keepFindings(governor: Governor): void {
    const { model, history } = this.#host.known()
    const { changes } = model.findings
    if (changes === this.#keptChanges) return
    this.#keptChanges = changes
    void history.save(governor.env.now())
  }

  /** Reason in the server's own figures for a slower pace. */
  #stress(governor: Governor): string | null {
    const { model } = this.#host.known()
    const nowTicks = model.nowTicks(governor.env.now())
    if (nowTicks === null) return null
    const { min, mean, count } = model.series.recent('cpu.machine', nowTicks, 10_000)
    if (count >= 5 && min >= SATURATED_CPU_PERCENT) return `CPU saturated (${Math.round(mean)} % over 10 s)`
    return model.isShortOfCredits ? 'The machine’s CPU credits are nearly used up' : null
  }
}
