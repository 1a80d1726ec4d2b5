import { groupBy } from '../../src/base/columns/group-by.ts'
import { inUnit, quantityOf, type Quantity } from './quantity.ts'

/** Value of a figure by an independent source, or its range while the page may have read its own. */
export type Truth = number | Bracket
export interface Bracket {
  readonly least: number
  readonly most: number
}

/** Difference that a figure may have beyond its own rounding, and why. */
export interface Tolerance {
  /** Unit of the figure: bytes, ms, a share of one, a count. */
  readonly absolute?: number
  /** Share of the truth. */
  readonly relative?: number
  readonly why: string
}

export interface Checked {
  readonly panel: string
  /** Figures in several rows that count as one. */
  readonly figure: string
  /** Row, kind or environment. */
  readonly of: string
  readonly shown: string
  readonly truth: string
  readonly difference: string
  readonly allowed: string
  /** Share of the allowed difference that is used, rounding included; of texts 0 or 1. */
  readonly part: number
  readonly isTrue: boolean
}

/** Counts of one run, for a table of results. */
export interface Summary {
  readonly figures: number
  readonly values: number
  readonly wrong: number
  readonly panels: readonly {
    readonly panel: string
    readonly figures: number
    readonly values: number
    readonly wrong: number
    /** The value whose difference takes most of its tolerance. */
    readonly nearest: Checked | undefined
  }[]
}

export interface Claim {
  readonly figure: string
  readonly of?: string
  /** Text on the page; undefined where the page shows no such figure. */
  readonly shown: string | undefined
  readonly truth: Truth | string | undefined
  readonly allow?: Tolerance
}

export const EXACT: Tolerance = { why: 'the rounding shown' }

/** Figures of one run: the checked ones, and those left out with the reason. */
export class Report {
  /**
   * Nothing else runs on the machine: CPU and rates of the moment are checked too. Beside other tests they change faster
   * than two sources can be read.
   */
  readonly isAlone: boolean
  readonly checked: Checked[] = []
  /** Figures that only the server itself reports. */
  readonly unchecked: { panel: string; figure: string; why: string }[] = []

  constructor(isAlone = true) {
    this.isAlone = isAlone
  }

  /** A figure and a truth are compared as quantities, or both as texts. */
  claim(panel: string, { figure, of = '', shown, truth, allow = EXACT }: Claim): void {
    const common = { panel, figure, of, shown: shown ?? 'not shown' }
    const fail = (words: string): void => {
      this.checked.push({ ...common, truth: words, difference: '', allowed: allow.why, part: Infinity, isTrue: false })
    }
    if (truth === undefined) return fail('the independent source says nothing')
    if (typeof truth === 'string') {
      const isTrue = shown === truth
      const difference = isTrue ? '' : 'another text'
      this.checked.push({ ...common, truth, difference, allowed: allow.why, part: isTrue ? 0 : Infinity, isTrue })
      return
    }
    const bracket = typeof truth === 'number' ? { least: truth, most: truth } : truth
    const quantity = quantityOf(shown ?? '')
    if (quantity === undefined) return fail(wordsOf(bracket, { value: 0, step: 1, unit: '' }))
    this.#compare(common, quantity, bracket, allow)
  }

  #compare(
    common: Pick<Checked, 'panel' | 'figure' | 'of' | 'shown'>,
    shown: Quantity,
    truth: Bracket,
    allow: Tolerance,
  ): void {
    const nearest = Math.min(truth.most, Math.max(truth.least, shown.value))
    const difference = shown.value - nearest
    const allowed = (allow.absolute ?? 0) + (allow.relative ?? 0) * Math.abs(nearest)
    const part = Math.abs(difference) / (allowed + shown.step * 0.5 * (1 + 1e-6))
    this.checked.push({
      ...common,
      truth: wordsOf(truth, shown),
      difference: difference === 0 ? '0' : inUnit(difference, shown.unit),
      allowed: allowed === 0 ? allow.why : `${inUnit(allowed, shown.unit)}: ${allow.why}`,
      part,
      isTrue: part <= 1,
    })
  }

  /** Says that a figure is only as good as what the server says of itself. */
  cannotCheck(panel: string, figures: readonly string[], why: string): void {
    for (const figure of figures) this.unchecked.push({ panel, figure, why })
  }

  /** Different figures; one in many rows counts once. */
  get figures(): number {
    return new Set(this.checked.map(({ panel, figure }) => `${panel} ${figure}`)).size
  }

  get wrong(): Checked[] {
    return this.checked.filter(({ isTrue }) => !isTrue)
  }

  get summary(): Summary {
    const panels = groupBy(this.checked, ({ panel }) => panel).map(([panel, checked]) => ({
      panel,
      figures: new Set(checked.map(({ figure }) => figure)).size,
      values: checked.length,
      wrong: checked.filter(({ isTrue }) => !isTrue).length,
      nearest: checked.toSorted((a, b) => b.part - a.part)[0],
    }))
    return { figures: this.figures, values: this.checked.length, wrong: this.wrong.length, panels }
  }

  /** Table of the checked figures. */
  text(checked: readonly Checked[]): string {
    const rows = checked.map((each) => [
      each.panel,
      each.of === '' ? each.figure : `${each.figure} (${each.of})`,
      each.shown,
      each.truth,
      each.difference,
      each.isTrue ? 'true' : 'FALSE',
      each.allowed,
    ])
    const lines = table([['Panel', 'Figure', 'Shown', 'Truth', 'Difference', 'Verdict', 'Tolerance'], ...rows])
    const unchecked = this.unchecked.map(({ panel, figure, why }) => [panel, figure, why])
    return [
      ...lines,
      '',
      'Not checked: no source but the server itself',
      ...table(unchecked),
      '',
      `${this.figures} figures, ${this.checked.length} values, ${this.wrong.length} false.`,
    ].join('\n')
  }
}

const wordsOf = ({ least, most }: Bracket, { unit }: Quantity): string =>
  least === most ? inUnit(least, unit) : `${inUnit(least, unit)} … ${inUnit(most, unit)}`

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
