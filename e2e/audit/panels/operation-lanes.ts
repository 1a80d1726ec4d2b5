import { ticksOfMs, type LabelRow } from '../label-rows.ts'
import type { MergerRecord } from '../merger.ts'
import { quantityOf } from '../quantity.ts'
import type { Recorder } from '../recorder.ts'
import type { Bracket, Report } from '../report.ts'
import { sum } from '../statistics.ts'

const PANEL = 'Operations'
/** Delay until the server, and then the page, know of documents that were sent. */
const LATE_MS = 2500
/** A start is shown in whole seconds. */
const CUT_MS = 1000
const AWAY_S = 12

interface KnownOperation {
  readonly sent: { readonly id: number; readonly documents: number }
  /** Documents sent (`sent`), and batches that the server counted (`batches`). */
  readonly recorder: Recorder
  readonly merger: MergerRecord
}

/** The stretches of a bulk insert: each between two readings, and together all of it. */
export function claimOperations(
  report: Report,
  all: readonly LabelRow[],
  { sent, recorder, merger }: KnownOperation,
): void {
  const rows = all
    .filter(({ evidence }) => evidence.startsWith(`Operation ${String(sent.id)} of “`))
    .toSorted((a, b) => a.fromMs - b.fromMs)
  const itemsOf = ({ evidence }: LabelRow): string | undefined => /([\d,]+) items? in /.exec(evidence)?.[1]
  const together = sum(rows.map((row) => quantityOf(itemsOf(row) ?? '')?.value ?? Number.NaN))
  report.claim(PANEL, { figure: 'Documents of all stretches', shown: String(together), truth: sent.documents })
  for (const row of rows) {
    const of = row.from
    const grewBy = (key: string): Bracket | undefined => {
      const from = recorder.range(key, row.fromMs - LATE_MS, row.fromMs + CUT_MS)
      const to = recorder.range(key, row.toMs - LATE_MS, row.toMs + CUT_MS)
      return from && to && { least: Math.max(0, to.least - from.most), most: to.most - from.least }
    }
    const items = itemsOf(row)
    report.claim(PANEL, { figure: 'Documents', of, shown: items, truth: grewBy('sent') })
    const seconds = row.lengthMs / 1000
    const perSecond = (quantityOf(items ?? '')?.value ?? Number.NaN) / seconds
    const allow = { relative: 0.01, why: 'its length is rounded' }
    report.claim(PANEL, {
      figure: 'Pace',
      of,
      shown: /: ([\d.,]+ \/s)\./.exec(row.evidence)?.[1],
      truth: perSecond,
      allow,
    })
    const title = /^Bulk insert ([\d.,]+ \/s)$/.exec(row.title)?.[1]
    report.claim(PANEL, { figure: 'Pace in the lane', of, shown: title, truth: perSecond, allow })
    const [, batches, every] = /([\d,]+) batch(?:es)?, one every ([^.]+(?:\.\d+ \w+)?)\./.exec(row.evidence) ?? []
    if (batches !== undefined) {
      report.claim(PANEL, { figure: 'Batches', of, shown: batches, truth: grewBy('batches') })
      const truth = row.lengthMs / (quantityOf(batches)?.value ?? Number.NaN)
      report.claim(PANEL, { figure: 'Time between batches', of, shown: every, truth, allow })
    }
    const states = /waited for writes (\S+ %) of the time, executed transactions (.+? %), committed (.+? %)/.exec(
      row.evidence,
    )
    for (const [i, state] of (['waits', 'transactions', 'commits'] as const).entries())
      if (states !== null)
        report.claim(PANEL, {
          figure: `Merger: ${state}`,
          of,
          shown: states[i + 1],
          truth: merger.around(state, ticksOfMs(row.fromMs), ticksOfMs(row.toMs), AWAY_S),
          allow: { absolute: 0.03, why: 'single events of it may be missed, by the page or by the audit' },
        })
  }
}
