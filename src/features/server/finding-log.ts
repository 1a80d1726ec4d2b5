import type { Ticks } from '../../base/brand.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { TriageItem, TriageLink } from './queries.ts'

/** A finding and when it held last; several times of one are one. */
export interface LoggedFinding {
  /** Of the triage's item. */
  readonly id: string
  readonly rule: string
  readonly level: TriageItem['level']
  /** As it is said when it is over. */
  readonly title: string
  readonly link: TriageLink
  readonly startTicks: Ticks
  readonly startIsBound: boolean
  /** When it was seen last. */
  readonly lastTicks: Ticks
  readonly isOver: boolean
  readonly times: number
  readonly firstTicks: Ticks
}

/** What is not found for so long is over; figures come every few seconds, and one may miss. */
const OVER_AFTER_TICKS = 30 * TICKS_PER_SECOND
/** The oldest make way. */
const MOST_LOGGED = 200

/** What the triage found and finds no more: it would be gone from the page without a trace. */
export class FindingLog {
  readonly #findings = new Map<string, LoggedFinding>()

  /** All that is found now. */
  note(items: readonly TriageItem[], nowTicks: Ticks): void {
    for (const item of items) this.#found(item, nowTicks)
    for (const [id, finding] of this.#findings)
      if (!finding.isOver && nowTicks - finding.lastTicks > OVER_AFTER_TICKS)
        this.#findings.set(id, { ...finding, isOver: true })
  }

  /** Newest last. */
  get logged(): readonly LoggedFinding[] {
    return [...this.#findings.values()]
  }

  /** Of earlier visits; what this one saw already is kept. */
  restore(before: readonly LoggedFinding[]): void {
    const now = [...this.#findings]
    this.#findings.clear()
    for (const finding of before) this.#findings.set(finding.id, finding)
    for (const [id, finding] of now) this.#put(id, finding)
  }

  #found({ id, rule, level, title, past, link, sinceTicks, sinceIsBound }: TriageItem, nowTicks: Ticks): void {
    const before = this.#findings.get(id)
    const isSame = before !== undefined && !before.isOver && nowTicks - before.lastTicks <= OVER_AFTER_TICKS
    const startTicks = isSame ? before.startTicks : (sinceTicks ?? nowTicks)
    this.#put(id, {
      id,
      rule,
      level,
      title: past ?? title,
      link,
      startTicks,
      startIsBound: isSame ? before.startIsBound : sinceIsBound,
      lastTicks: nowTicks,
      isOver: false,
      // The facts may tell that it never ended while nobody looked.
      times: before === undefined ? 1 : isSame || startTicks <= before.lastTicks ? before.times : before.times + 1,
      firstTicks: before?.firstTicks ?? startTicks,
    })
  }

  #put(id: string, finding: LoggedFinding): void {
    this.#findings.delete(id)
    this.#findings.set(id, finding)
    const oldest = this.#findings.keys().next().value
    if (this.#findings.size > MOST_LOGGED && oldest !== undefined) this.#findings.delete(oldest)
  }
}
