import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { FindingLink, HeldUntil, NotedFinding } from '../../contract/finding.ts'

/** A finding and when it held last; several times of one are one. */
export interface LoggedFinding {
  /** Id of the finding. */
  readonly id: string
  readonly rule: string
  readonly level: NotedFinding['level']
  /** Text of the finding when it is over. */
  readonly title: string
  readonly link: FindingLink
  readonly startTicks: Ticks
  readonly startIsBound: boolean
  /** When it was judged to hold last. */
  readonly lastTicks: Ticks
  /** Moment up to which it was known to hold then; absent: the same moment. */
  readonly held?: HeldUntil
  /** When it was first judged not to hold any more; left out: it holds. */
  readonly goneTicks?: Ticks
  readonly isOver: boolean
  readonly times: number
  readonly firstTicks: Ticks
  /** Read from an earlier visit, and not found since. */
  readonly fromBefore?: true
}

const LEVELS: ReadonlySet<string> = new Set<NotedFinding['level']>(['critical', 'warning', 'info'])
/** Time without a finding after which it is over; figures come every few seconds, and one may miss. */
const OVER_AFTER_TICKS = 30 * TICKS_PER_SECOND
/** The oldest make way. */
const MOST_LOGGED = 200
/**
 * Across a time that no page watched (a reload, a restart of the browser), what was found before and is found after is the
 * same within this; after more than that nothing is known of the time between. The log is written once a minute.
 */
const UNWATCHED_TICKS = 300 * TICKS_PER_SECOND

/**
 * Log of what the triage found and finds no more, which would be gone from the page without a trace, and since when
 * each holds.
 */
export class FindingLog {
  readonly #findings = new Map<string, LoggedFinding>()
  /** Grows when a finding comes or is over: then the log is worth writing down. */
  changes = 0

  /** All that is found now. */
  note(items: readonly NotedFinding[], nowTicks: Ticks): void {
    for (const item of items) this.#found(item, nowTicks)
    const ids = new Set(items.map(({ id }) => id))
    for (const [id, finding] of this.#findings) {
      if (!finding.isOver && finding.goneTicks === undefined && !ids.has(id) && finding.fromBefore !== true)
        this.#findings.set(id, { ...finding, goneTicks: nowTicks })
    }
    for (const [id, finding] of this.#findings)
      if (!finding.isOver && !goesOn(finding, nowTicks)) {
        this.#findings.set(id, { ...finding, isOver: true })
        this.changes++
      }
  }

  /** Since when a finding that holds has held, earlier visits included; null: it is new. */
  since(id: string, nowTicks: Ticks): { readonly ticks: Ticks; readonly isBound: boolean } | null {
    const finding = this.#findings.get(id)
    return finding === undefined || !goesOn(finding, nowTicks)
      ? null
      : { ticks: finding.startTicks, isBound: finding.startIsBound }
  }

  /** Newest last. */
  get logged(): readonly LoggedFinding[] {
    return [...this.#findings.values()]
  }

  /**
   * Adds findings of earlier visits; what this one saw already is kept, with the start that an earlier one knew of the
   * same. An older Rookery had other levels, and rules that blamed the server for its own pauses: its findings are left
   * out.
   */
  restore(before: readonly LoggedFinding[]): void {
    const now = [...this.#findings]
    this.#findings.clear()
    for (const finding of before)
      if (LEVELS.has(finding.level)) this.#findings.set(finding.id, { ...finding, fromBefore: true })
    for (const [id, finding] of now) this.#put(id, joined(this.#findings.get(id), finding))
  }

  #found({ id, rule, level, title, past, link, sinceTicks, sinceIsBound, held }: NotedFinding, nowTicks: Ticks): void {
    const before = this.#findings.get(id)
    const isSame = before !== undefined && goesOn(before, nowTicks)
    if (!isSame) this.changes++
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
      ...(held === undefined ? {} : { held }),
      isOver: false,
      // The facts may report that it never ended while no page was open.
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

/** Whether a finding at that moment is the same as was logged. */
const goesOn = ({ isOver, lastTicks, fromBefore }: LoggedFinding, atTicks: Ticks): boolean =>
  !isOver && atTicks - lastTicks <= (fromBefore === true ? UNWATCHED_TICKS : OVER_AFTER_TICKS)

/** Finding of this visit with what an earlier one knew of it. */
const joined = (before: LoggedFinding | undefined, now: LoggedFinding): LoggedFinding =>
  before === undefined || !goesOn(before, now.startTicks)
    ? now
    : {
        ...now,
        startTicks: before.startTicks,
        startIsBound: before.startIsBound,
        times: before.times + now.times - 1,
        firstTicks: before.firstTicks,
      }
