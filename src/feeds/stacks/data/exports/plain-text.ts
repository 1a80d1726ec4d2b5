import { formatTicks } from '../../../../base/ticks.ts'
import { visibleText } from '../../../../base/text/visible.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import { heading, pseudoOf } from '../responses/text.ts'
import type { StackStore } from '../table.ts'
import { lineOf } from '../waits.ts'
import type { SnapshotSamples } from './samples-of.ts'

/**
 * Readable text: a heading for each snapshot, one for each thread with its job and its wait, and its frames from the
 * leaf.
 */
export function* plainText(store: StackStore, samples: readonly SnapshotSamples[], out: Pieces): ExportSteps {
  let done = 0
  for (const { snapshot, rows } of samples) {
    const { info } = snapshot
    const at = formatTicks(info.atTicks)
    const node = info.nodeTag === null ? '' : ` of node ${info.nodeTag}`
    out.text(`# Stacks${node}${at === '' ? '' : `, ${at}`}: ${rows.length} threads\n`)
    for (const sentence of info.problems) out.text(`# ${visibleText(sentence)}\n`)
    for (const row of rows) {
      const { flags, wait, waitRule, primitive, run, node: nodes, job } = snapshot.rows
      const line = lineOf({
        wait: wait[row] as number,
        rule: waitRule[row] as number,
        primitive: primitive[row] as number,
        run: run[row] as number,
      })
      const { label, database } = store.job(job[row] as number)
      const waits = line.waitsFor === '' ? line.wait : `waits for ${line.waitsFor}`
      const says = [database === null ? label : `${label} of ${database}`, line.runs, waits].filter(
        (part) => part !== '',
      )
      out.text(`\n${visibleText(heading(store, snapshot, row))}\n  ${visibleText(says.join(' · '))}\n`)
      for (const text of pseudoOf(flags[row] as number)) out.text(`    ${text}\n`)
      for (const frame of store.stacks.path(nodes[row] as number))
        out.text(`    ${visibleText(store.frames.text(frame))}\n`)
      if (++done % 64 === 0 || out.hasPiece) yield done
    }
    out.text('\n')
  }
  yield done
}
