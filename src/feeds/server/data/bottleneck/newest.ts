import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { Bottleneck, BottleneckLabel } from '../../contract/bottleneck.ts'
import type { GapReason } from '../../../../capture/client/state.ts'
import type { ServerModel } from '../model.ts'
import { LEAST_TICKS } from './bottlenecks.ts'
import { describeInterval, labelOf } from './label.ts'
import { readSteps, saturatedCpu, stepsOf, type JournalSource, type StepFigures } from './steps.ts'

/** Time before now in which the start of the present limit is searched. */
const LATELY_TICKS = 6 * 3600 * TICKS_PER_SECOND
/** Age after which all figures of a step have arrived, so that the step is not read again. */
const SETTLED_TICKS = 120 * TICKS_PER_SECOND
/** Maximum length of an interruption of a label by other labels: a step may lack a figure that comes every 20 s. */
const INTERRUPTED_TICKS = 20 * TICKS_PER_SECOND
/** Age of the newest figures above which nothing is known about the present. */
const OLD_TICKS = 60 * TICKS_PER_SECOND
const STEP_TICKS = 10 * TICKS_PER_SECOND
/** Reasons of gaps over which no limit lasts: what the server did then, nothing shows. */
const UNANSWERED: ReadonlySet<GapReason> = new Set(['server-unresponsive', 'server-stopped'])
/** Length of the step that has just begun. */
const NEW_TICKS = 2 * TICKS_PER_SECOND
/** Maximum number of steps that the evidence is made of: the last hour. */
const MOST_STEPS = 360

interface Labelled {
  readonly figures: StepFigures
  readonly label: BottleneckLabel
}

/** Finds the present limit of a server. Each call reads only figures that are new since the previous call. */
export class NewestBottleneck {
  readonly #model: ServerModel
  readonly #journal: JournalSource | null
  #settled: Labelled[] = []
  /** Start of the history when the settled steps were read. An earlier visit may be added to the history later. */
  #firstTicks = Number.NaN
  /** Earliest reported start of the CPU limit, and the end of the figures that last showed it; null: not the limit. */
  #cpu: { readonly startTicks: Ticks; readonly untilTicks: Ticks } | null = null

  constructor(model: ServerModel, journal: JournalSource | null) {
    this.#model = model
    this.#journal = journal
  }

  /** Limit at this moment; null: no figures were reported lately. */
  at(nowTicks: Ticks): Bottleneck | null {
    const { extent } = this.#model.series
    const endTicks = Math.min(nowTicks - LEAST_TICKS, extent?.endTicks ?? Number.NEGATIVE_INFINITY) as Ticks
    if (extent === null || nowTicks - endTicks > OLD_TICKS) return null
    const lastTicks = this.#settled.at(-1)?.figures.startTicks ?? Number.NaN
    if (extent.startTicks !== this.#firstTicks || lastTicks > nowTicks) {
      this.#settled = []
      this.#cpu = null
    }
    this.#firstTicks = extent.startTicks
    const all = [...this.#settled, ...this.#read(extent.startTicks, endTicks, nowTicks)]
    const isSettled = ({ figures }: Labelled): boolean => figures.startTicks < nowTicks - SETTLED_TICKS
    this.#settled = all.filter((each) => isSettled(each) && each.figures.startTicks >= nowTicks - LATELY_TICKS)
    const { restarts } = this.#model
    const starts = [extent.startTicks, ...restarts.map(({ startTicks }) => startTicks)]
    const present = [...all, ...this.#present(all.at(-1), nowTicks)]
    const silentUntil = this.#silentUntil(present.at(-1), nowTicks)
    const newest = newestOf(present, nowTicks, starts, silentUntil)
    const untilTicks = Math.min(nowTicks, extent.endTicks) as Ticks
    if (newest === null) return null
    return this.#sinceReported(newest, untilTicks, silentUntil === null ? starts : [...starts, silentUntil])
  }

  /** End of the newest time in which the server did not answer and which began before a step; null: none. */
  #silentUntil(step: Labelled | undefined, nowTicks: Ticks): Ticks | null {
    if (step === undefined) return null
    const range = { startTicks: (nowTicks - LATELY_TICKS) as Ticks, endTicks: nowTicks }
    const silences = this.#model.coverage
      .gaps(range)
      .filter(({ reason, startTicks }) => UNANSWERED.has(reason) && startTicks < step.figures.startTicks)
    return silences.at(-1)?.endTicks ?? null
  }

  /**
   * Keeps the start of a CPU limit: it was seen before a step had the label, and each later step begins later. Not kept
   * if a restart, a time without figures or one in which the server did not answer lies between that limit and the
   * newest one. `starts`: the ends of such times.
   */
  #sinceReported(newest: Bottleneck, untilTicks: Ticks, starts: readonly Ticks[]): Bottleneck {
    const { label, startTicks } = newest
    const before = this.#cpu
    this.#cpu = null
    if (label !== 'cpu') return newest
    const isSame =
      before !== null &&
      startTicks - before.untilTicks <= INTERRUPTED_TICKS &&
      !starts.some((ticks) => ticks > before.startTicks && ticks <= startTicks)
    const sinceTicks = isSame ? (Math.min(before.startTicks, startTicks) as Ticks) : startTicks
    this.#cpu = { startTicks: sinceTicks, untilTicks }
    return { ...newest, startTicks: sinceTicks }
  }

  /**
   * Step that begins now, if the CPU has become the limit since the end of the last one: else what the last one shows,
   * such as a server that waits for its clients, would be reported for seconds beside a saturated machine.
   */
  #present(last: Labelled | undefined, nowTicks: Ticks): readonly Labelled[] {
    const cpu = saturatedCpu(this.#model, nowTicks)
    if (last === undefined || cpu === null || last.label === 'cpu') return []
    const figures = {
      ...last.figures,
      cpu,
      startTicks: Math.max(last.figures.startTicks, nowTicks - NEW_TICKS) as Ticks,
    }
    return labelOf(figures) === 'cpu' ? [{ figures, label: 'cpu' }] : []
  }

  #read(firstTicks: Ticks, endTicks: Ticks, nowTicks: Ticks): Labelled[] {
    const last = this.#settled.at(-1)
    const fromTicks = last === undefined ? Math.max(firstTicks, nowTicks - LATELY_TICKS) : last.figures.startTicks
    // Reads some earlier steps, too, since a figure may be valid for the steps after it.
    const startTicks = Math.max(firstTicks, fromTicks - SETTLED_TICKS) as Ticks
    // Rounded up: the quotient of the quotient may be a little more than a step, for which the next length is a minute.
    const steps = stepsOf({ startTicks, endTicks }, Math.ceil((endTicks - startTicks) / STEP_TICKS))
    return readSteps(this.#model, steps, this.#journal, nowTicks)
      .filter((figures) => last === undefined || figures.startTicks > last.figures.startTicks)
      .map((figures) => ({ figures, label: labelOf(figures) }))
  }
}

/**
 * `starts`: times before which there was no figure of that run of the server, or none at all. `silentUntil`: end of the
 * newest time in which the server did not answer; null: none.
 */
function newestOf(
  all: readonly Labelled[],
  nowTicks: Ticks,
  starts: readonly Ticks[],
  silentUntil: Ticks | null,
): Bottleneck | null {
  const last = all.at(-1)
  if (last === undefined) return null
  const { label } = last
  let from = all.length - 1
  for (let row = from; row >= 0; row--) {
    const each = all[row] as Labelled
    const untilTicks = (all[from] as Labelled).figures.startTicks
    const endTicks = all[row + 1]?.figures.startTicks ?? nowTicks
    if (silentUntil !== null && endTicks <= silentUntil) break
    if (each.label === label) from = row
    else if (untilTicks - each.figures.startTicks > INTERRUPTED_TICKS) break
  }
  const own = all.slice(from).filter((each) => each.label === label)
  const steps = own.slice(-MOST_STEPS).map(({ figures }) => figures)
  const firstTicks = (all[from] as Labelled).figures.startTicks
  const untilTicks = all[from + 1]?.figures.startTicks ?? nowTicks
  // Steps begin at round times, which may be before the server or watching started.
  const within = [...starts, silentUntil ?? firstTicks].filter((ticks) => ticks > firstTicks && ticks < untilTicks)
  return { ...describeInterval(label, steps, nowTicks), startTicks: Math.max(firstTicks, ...within) as Ticks }
}

/**
 * Age up to which a judgement is reused. Judgements are made in steps of 10 s, so that more frequent ones add nothing,
 * unless the CPU becomes saturated, or no longer is.
 */
const REUSED_TICKS = 5 * TICKS_PER_SECOND

/**
 * Returns a function that gives the present limit of a server. `journal`: source of journal writes, for databases whose
 * I/O is watched.
 */
export function newestBottlenecks(
  journal: JournalSource | null,
): (model: ServerModel, nowTicks: Ticks) => Bottleneck | null {
  const limits = new WeakMap<ServerModel, NewestBottleneck>()
  let limit: {
    readonly model: ServerModel
    readonly atTicks: Ticks
    readonly isSaturated: boolean
    readonly newest: Bottleneck | null
  } | null = null
  return (model, nowTicks) => {
    const isSaturated = saturatedCpu(model, nowTicks) !== null
    if (
      limit?.model !== model ||
      limit.isSaturated !== isSaturated ||
      Math.abs(nowTicks - limit.atTicks) >= REUSED_TICKS
    ) {
      const judge = limits.get(model) ?? new NewestBottleneck(model, journal)
      limits.set(model, judge)
      limit = { model, atTicks: nowTicks, isSaturated, newest: judge.at(nowTicks) }
    }
    return limit.newest
  }
}
