import { putNewest } from '../../../../base/put-newest.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { FindingLink, HeldUntil, NotedFinding } from '../../contract/finding.ts'

/** Finding with the time at which it was last present. Repeated occurrences of a finding share one entry. */
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
  /** Time of the last judgement that found it. */
  readonly lastTicks: Ticks
  /** Moment up to which it was then known to last; absent: `lastTicks`. */
  readonly held?: HeldUntil
  /** Time of the first judgement that no longer found it; absent: it is still present. */
  readonly goneTicks?: Ticks
  readonly isOver: boolean
  readonly times: number
  readonly firstTicks: Ticks
  /** Whether it comes from an earlier visit and has not been found since. */
  readonly fromBefore?: true
}

const LEVELS: ReadonlySet<string> = new Set<NotedFinding['level']>(['critical', 'warning', 'info'])
/** Time without a finding after which it is over. Figures come every few seconds, and a single one may be missing. */
const OVER_AFTER_TICKS = 30 * TICKS_PER_SECOND
/** Maximum number of entries; the oldest ones are dropped. */
const MOST_LOGGED = 200
/**
 * Maximum time without a page (a reload, a restart of the browser) across which a finding before and after it counts as
 * the same. After a longer time nothing is known of the time between. The log is written once a minute.
 */
const UNWATCHED_TICKS = 300 * TICKS_PER_SECOND

/**
 * Log of past findings, which would otherwise disappear from the page without a trace, and of the start of the present
 * ones.
 */
export class FindingLog {
  readonly #findings = new Map<string, LoggedFinding>()
  /** Grows when a finding appears or is over, which is when the log should be written. */
  changes = 0

  /** Takes all findings of a judgement. */
  note(items: readonly NotedFinding[], nowTicks: Ticks): void {
    for (const item of items) this.#found(item, nowTicks)
    const ids = new Set(items.map(({ id }) => id))
    for (const [id, finding] of this.#findings) {
      if (!finding.isOver && finding.goneTicks === undefined && !ids.has(id) && finding.fromBefore !== true)
        this.#findings.set(id, { ...finding, goneTicks: nowTicks })
    }
    for (const [id, finding] of this.#findings)
      if (!finding.isOver && (!goesOn(finding, nowTicks) || isOfLaterClock(finding, nowTicks))) {
        this.#findings.set(id, { ...finding, isOver: true })
        this.changes++
      }
  }

  /** Start of a present finding, earlier visits included; null: the finding is new. */
  since(id: string, nowTicks: Ticks): { readonly ticks: Ticks; readonly isBound: boolean } | null {
    const finding = this.#findings.get(id)
    return finding === undefined || !goesOn(finding, nowTicks)
      ? null
      : { ticks: finding.startTicks, isBound: finding.startIsBound }
  }

  /** All entries, the newest last. */
  get logged(): readonly LoggedFinding[] {
    return [...this.#findings.values()]
  }

  /**
   * Adds findings of earlier visits. Findings of this visit are kept, with the start that an earlier visit recorded for
   * the same finding. Findings of older versions are left out: they had other levels, and rules that blamed the server
   * for pauses of Rookery.
   */
  restore(before: readonly LoggedFinding[]): void {
    const now = [...this.#findings]
    this.#findings.clear()
    for (const finding of before)
      if (LEVELS.has(finding.level)) this.#findings.set(finding.id, { ...finding, fromBefore: true })
    for (const [id, finding] of now) putNewest(this.#findings, MOST_LOGGED, id, joined(this.#findings.get(id), finding))
  }

  #found({ id, rule, level, title, past, link, sinceTicks, sinceIsBound, held }: NotedFinding, nowTicks: Ticks): void {
    const before = this.#findings.get(id)
    const isSame = before !== undefined && goesOn(before, nowTicks)
    if (!isSame) this.changes++
    const since = isSame ? before.startTicks : (sinceTicks ?? nowTicks)
    // Where the server’s clock was set back meanwhile, it began before the time that the clock shows now.
    const isSetBack = since - nowTicks > OVER_AFTER_TICKS
    const startTicks = Math.min(since, nowTicks) as Ticks
    putNewest(this.#findings, MOST_LOGGED, id, {
      id,
      rule,
      level,
      title: past ?? title,
      link,
      startTicks,
      startIsBound: isSetBack || (isSame ? before.startIsBound : sinceIsBound),
      lastTicks: nowTicks,
      ...(held === undefined ? {} : { held }),
      isOver: false,
      // The figures may show that it never ended while no page was open.
      times: before === undefined ? 1 : isSame || startTicks <= before.lastTicks ? before.times : before.times + 1,
      firstTicks: before?.firstTicks ?? startTicks,
    })
  }
}

/** Whether a finding at that time is the same as the logged one. */
const goesOn = ({ isOver, lastTicks, fromBefore }: LoggedFinding, atTicks: Ticks): boolean =>
  !isOver && atTicks - lastTicks <= (fromBefore === true ? UNWATCHED_TICKS : OVER_AFTER_TICKS)

/** Whether a finding that is gone was last found far in the future: the clock was set back since. */
const isOfLaterClock = ({ goneTicks, lastTicks }: LoggedFinding, atTicks: Ticks): boolean =>
  goneTicks !== undefined && lastTicks - atTicks > OVER_AFTER_TICKS

/** Finding of this visit, with the start and count that an earlier visit recorded for it. */
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
