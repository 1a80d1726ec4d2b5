import type { Exporter, ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { StacksExportParams } from '../../contract/samples.ts'
import type { StackStore } from '../table.ts'
import { foldedStacks } from './folded.ts'
import type { StackFormatId } from './formats.ts'
import { plainText } from './plain-text.ts'
import { gzip, pprofBytes } from './pprof.ts'
import { countRows, samplesOf, sumStacks } from './samples-of.ts'
import type { SnapshotSamples, StackSums } from './samples-of.ts'
import { speedscope } from './speedscope.ts'
import { studioJson } from './studio-json.ts'

/** Every format of `STACK_FORMATS`, made by the worker. */
export function stackExporters(store: StackStore): readonly Exporter[] {
  const ofSamples = (
    id: StackFormatId,
    steps: (samples: readonly SnapshotSamples[], out: Pieces) => ExportSteps,
  ): Exporter => ({
    id,
    plan: (ask: StacksExportParams) => {
      const samples = samplesOf(store, ask.samples)
      return { rows: countRows(samples), steps: (out) => steps(samples, out) }
    },
  })
  const ofSums = (
    id: StackFormatId,
    steps: (sums: StackSums, ask: StacksExportParams, out: Pieces) => ExportSteps,
  ): Exporter => ({
    id,
    plan: (ask: StacksExportParams) => {
      const sums = sumStacks(store, ask)
      return { rows: sums.sums.length, steps: (out) => steps(sums, ask, out) }
    },
  })
  return [
    ofSamples('stacks.json', (samples, out) => studioJson(store, samples, out)),
    ofSamples('stacks.text', (samples, out) => plainText(store, samples, out)),
    ofSums('stacks.folded', (sums, { weight }, out) => foldedStacks(store, sums, weight, out)),
    ofSums('stacks.speedscope', (sums, { weight }, out) => speedscope(store, sums, weight, out)),
    {
      id: 'stacks.pprof' satisfies StackFormatId,
      plan: async (ask: StacksExportParams) => {
        const sums = sumStacks(store, ask)
        const snapshots = samplesOf(store, ask.samples).map(({ snapshot }) => snapshot)
        const bytes = await gzip(pprofBytes(store, sums, snapshots))
        return { rows: sums.sums.length, steps: (out) => whole(bytes, sums.sums.length, out) }
      },
    },
  ]
}

function* whole(bytes: Uint8Array, rows: number, out: Pieces): ExportSteps {
  for (let at = 0; at < bytes.length; at += 64 * 1024) {
    out.bytes(bytes.subarray(at, at + 64 * 1024))
    yield 0
  }
  yield rows
}

/** How much an export would have. */
export function countExport(
  store: StackStore,
  ask: StacksExportParams,
): { readonly snapshots: number; readonly samples: number; readonly frames: number } {
  const samples = samplesOf(store, ask.samples)
  let frames = 0
  for (const { snapshot, rows } of samples)
    for (const row of rows) frames += store.stacks.depth(snapshot.rows.node[row] as number)
  return { snapshots: samples.length, samples: countRows(samples), frames }
}
