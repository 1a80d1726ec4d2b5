import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import type { Bottleneck, BottleneckLabel } from '../../contract/bottleneck.ts'
import type { ServerModel } from '../model.ts'
import { LEAST_TICKS } from './bottlenecks.ts'
import { describeInterval, labelOf } from './label.ts'
import { readSteps, stepsOf, type JournalSource, type StepFigures } from './steps.ts'

/** Since when it is so is looked for in this time. */
const LATELY_TICKS = 6 * 3600 * TICKS_PER_SECOND
/** Figures of older steps have all arrived: they are not read again. */
const SETTLED_TICKS = 120 * TICKS_PER_SECOND
/** A label holds on over so much of something else: a figure that comes every 20 s may leave a step without. */
const INTERRUPTED_TICKS = 20 * TICKS_PER_SECOND
/** Without figures for so long nothing is known of now. */
const OLD_TICKS = 60 * TICKS_PER_SECOND
const STEP_TICKS = 10 * TICKS_PER_SECOND
/** Steps that the evidence is made of: the last hour. */
const MOST_STEPS = 360

interface Labelled {
  readonly figures: StepFigures
  readonly label: BottleneckLabel
}

/** Finds the limit of a server now. Each call reads only what is new since the one before. */
export class NewestBottleneck {
  readonly #model: ServerModel
  readonly #journal: JournalSource | null
  #settled: Labelled[] = []
  /** Start of the history when the settled ones were read: an earlier visit may be added to it later. */
  #firstTicks = Number.NaN

  constructor(model: ServerModel, journal: JournalSource | null) {
    this.#model = model
    this.#journal = journal
  }

  /** Limit at this moment; null: nothing was reported lately. */
  at(nowTicks: Ticks): Bottleneck | null {
    const { extent } = this.#model.series
    const endTicks = Math.min(nowTicks - LEAST_TICKS, extent?.endTicks ?? Number.NEGATIVE_INFINITY) as Ticks
    if (extent === null || nowTicks - endTicks > OLD_TICKS) return null
    const lastTicks = this.#settled.at(-1)?.figures.startTicks ?? Number.NaN
    if (extent.startTicks !== this.#firstTicks || lastTicks > nowTicks) this.#settled = []
    this.#firstTicks = extent.startTicks
    const all = [...this.#settled, ...this.#read(extent.startTicks, endTicks, nowTicks)]
    const isSettled = ({ figures }: Labelled): boolean => figures.startTicks < nowTicks - SETTLED_TICKS
    this.#settled = all.filter((each) => isSettled(each) && each.figures.startTicks >= nowTicks - LATELY_TICKS)
    return newestOf(all, nowTicks)
  }

  #read(firstTicks: Ticks, endTicks: Ticks, nowTicks: Ticks): Labelled[] {
    const last = this.#settled.at(-1)
    const fromTicks = last === undefined ? Math.max(firstTicks, nowTicks - LATELY_TICKS) : last.figures.startTicks
    // A little more is read, since a figure may hold for the steps after it.
    const startTicks = Math.max(firstTicks, fromTicks - SETTLED_TICKS) as Ticks
    const steps = stepsOf({ startTicks, endTicks }, (endTicks - startTicks) / STEP_TICKS)
    return readSteps(this.#model, steps, this.#journal, nowTicks)
      .filter((figures) => last === undefined || figures.startTicks > last.figures.startTicks)
      .map((figures) => ({ figures, label: labelOf(figures) }))
  }
}

function newestOf(all: readonly Labelled[], nowTicks: Ticks): Bottleneck | null {
  const last = all.at(-1)
  if (last === undefined) return null
  const { label } = last
  let from = all.length - 1
  for (let row = from; row >= 0; row--) {
    const each = all[row] as Labelled
    const untilTicks = (all[from] as Labelled).figures.startTicks
    if (each.label === label) from = row
    else if (untilTicks - each.figures.startTicks > INTERRUPTED_TICKS) break
  }
  const own = all.slice(from).filter((each) => each.label === label)
  const steps = own.slice(-MOST_STEPS).map(({ figures }) => figures)
  return { ...describeInterval(label, steps, nowTicks), startTicks: (all[from] as Labelled).figures.startTicks }
}

/** Age up to which a judgement is reused: it is made in steps of 10 s, and more often shows nothing more. */
const REUSED_TICKS = 5 * TICKS_PER_SECOND

/** Limit of a server at a moment that goes on. `journal`: what is known of journal writes, where I/O is watched. */
export function newestBottlenecks(
  journal: JournalSource | null,
): (model: ServerModel, nowTicks: Ticks) => Bottleneck | null {
  const limits = new WeakMap<ServerModel, NewestBottleneck>()
  let limit: { readonly model: ServerModel; readonly atTicks: Ticks; readonly newest: Bottleneck | null } | null = null
  return (model, nowTicks) => {
    if (limit?.model !== model || Math.abs(nowTicks - limit.atTicks) >= REUSED_TICKS) {
      const judge = limits.get(model) ?? new NewestBottleneck(model, journal)
      limits.set(model, judge)
      limit = { model, atTicks: nowTicks, newest: judge.at(nowTicks) }
    }
    return limit.newest
  }
}
