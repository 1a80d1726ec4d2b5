import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { describeRequests } from '../../../base/text/request-rate.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import type { Triage, TriageItem } from '../contract/findings.ts'
import { listedRule, type Finding, type TriageFacts, type TriageRule } from './facts.ts'
import { rights } from './rules/access.ts'
import { byLevel, findingId, worseFirst } from './rules/helpers.ts'
import { cpuBusy } from './rules/machine.ts'
import { CHECK_RULES } from './answer-rules.ts'
import { TRIAGE_RULES } from './triage-rules.ts'

const MOST_ITEMS = 5
const MOST_MORE = 100
/**
 * Number of findings of one rule and level that come first. More of them could hide another problem: ten slow queries,
 * a full disk.
 */
const MOST_OF_RULE = 2
/**
 * Number of judgements, one every few seconds, for which an absent finding is remembered. If it returns before that, it
 * keeps its start.
 */
const FORGOTTEN_AFTER = 6

/**
 * Findings in the first minute of monitoring may have begun before it, since the slowest figures arrive once a minute.
 */
const ARRIVING_TICKS = 60 * TICKS_PER_SECOND
/** Time for which expected figures are waited for. */
const AWAITED_TICKS = 20 * TICKS_PER_SECOND
/** Pause between judgements after which monitoring counts as restarted. */
const PAUSED_TICKS = 30 * TICKS_PER_SECOND

/** Applies the rules, and remembers since when each finding has been present. */
export class TriageJudge {
  readonly #rules: readonly TriageRule[]
  readonly #since = new Map<string, { ticks: Ticks; isBound: boolean; absent: number }>()
  /** Time since when the figures of a rule have been expected, by rule. */
  readonly #awaited = new Map<string, Ticks>()
  #began: Ticks | null = null
  #last: Ticks | null = null

  constructor(rules: readonly TriageRule[] = TRIAGE_RULES) {
    this.#rules = rules
  }

  judge(version: number, facts: TriageFacts): Omit<Triage, 'bottleneck'> {
    const { nowTicks } = facts
    if (this.#began === null || this.#last === null || nowTicks - this.#last > PAUSED_TICKS) this.#began = nowTicks
    this.#last = nowTicks
    const found: Found[] = []
    const unknown: Triage['unknown'][number][] = []
    const awaited = new Set<string>()
    const rules = facts.answers === null ? this.#rules : [...this.#rules, ...CHECK_RULES]
    for (const rule of rules) {
      const { rule: id, title } = rule
      const note = (why: string, how: Partial<Triage['unknown'][number]> = {}): void =>
        void unknown.push({ rule: id, title, why, isPartly: false, isSampled: false, needsHistory: false, ...how })
      const unjudged = rule.unknown(facts)
      if (unjudged !== null) {
        note(typeof unjudged === 'string' ? unjudged : unjudged.awaited)
        if (typeof unjudged !== 'string') awaited.add(id)
        continue
      }
      for (const finding of rule.find(facts)) found.push({ rule, finding })
      const history = rule.history?.(facts) ?? null
      if (history !== null) note(history, { needsHistory: true })
      const partly = rule.partly?.(facts) ?? null
      if (partly !== null) note(partly, { isPartly: true })
      const samples = rule.samples?.(facts) ?? null
      if (samples !== null) note(samples, { isSampled: true })
    }
    const items = worstFirst(found).map(({ rule, finding }) => this.#item(rule, finding, facts))
    this.#forget(new Set(items.map(({ id }) => id)))
    const hasTrouble = items.some(({ level }) => level !== 'info')
    const isKnown = hasFigures(facts)
    const all = rules.length
    const done = all - unknown.filter(({ isPartly, isSampled }) => !isPartly && !isSampled).length
    const checking = this.#isAwaiting(awaited, facts) ? { done, all } : null
    return {
      version,
      calm: !hasTrouble && isKnown && checking === null,
      hasFigures: isKnown,
      checking,
      sentence: hasTrouble
        ? troubleSentence(items, checking)
        : !isKnown
          ? 'No figures from the server yet.'
          : calmSentence(facts, items, { done, all, isChecking: checking !== null }),
      items: items.slice(0, MOST_ITEMS),
      more: items.slice(MOST_ITEMS, MOST_ITEMS + MOST_MORE),
      unknown,
      rules: rules.map(listedRule),
    }
  }

  /**
   * Whether figures of any rule may still arrive. If a right is missing, some will never arrive, and it is not known
   * which.
   */
  #isAwaiting(rules: ReadonlySet<string>, { isDetailed, nowTicks, now }: TriageFacts): boolean {
    for (const rule of this.#awaited.keys()) if (!rules.has(rule) || !isDetailed) this.#awaited.delete(rule)
    if (!isDetailed || now.watch.lacking.some(({ kind }) => kind === 'right')) return false
    for (const rule of rules) if (!this.#awaited.has(rule)) this.#awaited.set(rule, nowTicks)
    return [...this.#awaited.values()].some((sinceTicks) => nowTicks - sinceTicks < AWAITED_TICKS)
  }

  #item({ rule, reason, quotes }: TriageRule, finding: Finding, { nowTicks, knownSince }: TriageFacts): TriageItem {
    const { about, level, title, past, evidence, sinceTicks = null, held, link, errorsOf, actsOn } = finding
    const id = findingId(rule, about)
    let since = this.#since.get(id)
    if (since === undefined) {
      since = { ticks: nowTicks, isBound: nowTicks - (this.#began ?? nowTicks) < ARRIVING_TICKS, absent: 0 }
      this.#since.set(id, since)
    }
    since.absent = 0
    // The log of an earlier visit may have an earlier start.
    const known = knownSince(id)
    const noticed = known !== null && known.ticks < since.ticks ? known : since
    return {
      id,
      rule,
      level,
      title,
      ...(past === undefined ? {} : { past }),
      reason: quotes === true ? null : reason,
      evidence,
      sinceTicks: sinceTicks ?? noticed.ticks,
      sinceIsBound: sinceTicks === null && noticed.isBound,
      ...(held === undefined ? {} : { held }),
      link,
      ...(errorsOf === undefined ? {} : { errorsOf }),
      ...(actsOn === undefined ? {} : { actsOn }),
    }
  }

  #forget(present: ReadonlySet<string>): void {
    for (const [id, since] of this.#since) {
      if (present.has(id)) continue
      if (++since.absent > FORGOTTEN_AFTER) this.#since.delete(id)
    }
  }
}

export interface Found {
  readonly rule: TriageRule
  readonly finding: Finding
}

/**
 * Findings by level and weight. Only two of a rule and level come first; the others follow after different findings of
 * that level.
 */
export function worstFirst(found: readonly Found[]): Found[] {
  const byWeight = found.toSorted((a, b) => worseFirst(a.finding, b.finding))
  const counts = new Map<string, number>()
  const ranked = byWeight.map((each) => {
    const key = `${each.finding.level} ${each.rule.rule}`
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return { each, isMore: before >= MOST_OF_RULE }
  })
  return ranked
    .toSorted((a, b) => byLevel(a.each.finding, b.each.finding) || Number(a.isMore) - Number(b.isMore))
    .map(({ each }) => each)
}

const hasFigures = ({ now: { databases, cpu, traffic } }: TriageFacts): boolean =>
  databases !== null || cpu !== null || traffic !== null

function troubleSentence(items: readonly TriageItem[], checking: Triage['checking']): string {
  const first = items[0]?.title ?? ''
  const others = items.filter(({ level }) => level !== 'info').length - 1
  const more = others <= 0 ? '' : ` ${formatPlural(others, 'more issue')}.`
  return `${first}${more}${checking === null ? '' : ` Checking: ${checking.done} of ${checking.all}.`}`
}

/**
 * Sentence if there is no trouble. High load is reported as a figure: by itself it is not an issue. `checks`: number of
 * judged rules, and of all.
 */
function calmSentence(
  { now }: TriageFacts,
  infos: readonly TriageItem[],
  checks: { done: number; all: number; isChecking: boolean },
): string {
  const { databases, cpu, traffic } = now
  const parts = [
    ...(databases === null
      ? []
      : [`${formatCount(databases.online)} of ${formatPlural(databases.total, 'database')} loaded`]),
    ...(cpu === null ? [] : [`CPU at ${Math.round(cpu.machinePercent)} %`]),
    ...(traffic?.requestsPerSecond == null ? [] : [describeRequests(traffic.requestsPerSecond, traffic.oursPerSecond)]),
  ]
  const noted = infos.length === 0 ? '' : ` ${formatPlural(infos.length, 'finding')} for information.`
  const has = ({ rule }: TriageRule): boolean => infos.some((item) => item.rule === rule)
  const seen = has(rights) ? ' in what this certificate may read' : ''
  if (checks.isChecking) return `Checking: ${checks.done} of ${checks.all}. ${parts.join(', ')}.${noted}`
  const judged = checks.done === checks.all ? '' : ` by ${checks.done} of ${checks.all} checks`
  return `No issues found${seen}${judged}${has(cpuBusy) ? ', but CPU saturated' : ''}: ${parts.join(', ')}.${noted}`
}
