import { visibleText } from '../../../../base/text/visible.ts'
import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { Weight } from '../../contract/samples.ts'
import type { StackStore } from '../table.ts'
import type { StackSums } from './samples-of.ts'
import { weigh } from './samples-of.ts'

/** `root;…;leaf weight`, a line for each distinct stack. A `;` in a name becomes `:`. Source: flamegraph.pl. */
export function* foldedStacks(store: StackStore, sums: StackSums, weight: Weight, out: Pieces): ExportSteps {
  const byNode = new Map<number, { value: number; sums: number }>()
  for (const sum of sums.sums) {
    const known = byNode.get(sum.node)
    const value = weigh(sum, weight, sums.snapshots)
    byNode.set(sum.node, { value: (known?.value ?? 0) + value, sums: (known?.sums ?? 0) + 1 })
  }
  let done = 0
  for (const [node, { value, sums: joined }] of byNode) {
    done += joined
    if (value <= 0 || node === 0) continue
    const names = sums.stem.trie.path(node).toReversed()
    out.text(`${names.map((frame) => foldedName(store.frames.text(frame))).join(';')} ${rounded(value)}\n`)
    if (done % 64 === 0 || out.hasPiece) yield done
  }
  yield done
}

const foldedName = (text: string): string => visibleText(text).replaceAll(';', ':')

/** At most six decimals, without an exponent. */
const rounded = (value: number): string => String(Number(value.toFixed(6)))
