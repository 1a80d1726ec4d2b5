import type { Exporter, Exporters, ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { StacksExportId, StacksExportParams } from '../../contract/samples.ts'
import type { StackStore } from '../table.ts'
import { foldedStacks } from './folded.ts'
import { plainText } from './plain-text.ts'
import { gzip, pprofBytes } from './pprof.ts'
import { countRows, samplesOf, sumStacks } from './samples-of.ts'
import type { SnapshotSamples, StackSums } from './samples-of.ts'
import { speedscope } from './speedscope.ts'
import { studioJson } from './studio-json.ts'

/** Exporters for every format in `STACK_FORMATS`. */
export function stackExporters(store: StackStore): Exporters<StacksExportId> {
  const ofSamples =
    (steps: (samples: readonly SnapshotSamples[], out: Pieces) => ExportSteps): Exporter<StacksExportId> =>
    (params) => {
      const samples = samplesOf(store, params.samples)
      return { rows: countRows(samples), steps: (out) => steps(samples, out) }
    }
  const ofSums =
    (steps: (sums: StackSums, params: StacksExportParams, out: Pieces) => ExportSteps): Exporter<StacksExportId> =>
    (params) => {
      const sums = sumStacks(store, params)
      return { rows: sums.sums.length, steps: (out) => steps(sums, params, out) }
    }
  return {
    'stacks.json': ofSamples((samples, out) => studioJson(store, samples, out)),
    'stacks.text': ofSamples((samples, out) => plainText(store, samples, out)),
    'stacks.folded': ofSums((sums, { weight }, out) => foldedStacks(store, sums, weight, out)),
    'stacks.speedscope': ofSums((sums, { weight }, out) => speedscope(store, sums, weight, out)),
    'stacks.pprof': async (params) => {
      const sums = sumStacks(store, params)
      const snapshots = samplesOf(store, params.samples).map(({ snapshot }) => snapshot)
      const bytes = await gzip(await pprofBytes(store, sums, snapshots))
      return { rows: sums.sums.length, steps: (out) => whole(bytes, sums.sums.length, out) }
    },
  }
}

function* whole(bytes: Uint8Array, rows: number, out: Pieces): ExportSteps {
  for (let at = 0; at < bytes.length; at += 64 * 1024) {
    out.bytes(bytes.subarray(at, at + 64 * 1024))
    yield 0
  }
  yield rows
}

/** Counts the rows of an export. */
export function countExport(
  store: StackStore,
  params: StacksExportParams,
): { readonly snapshots: number; readonly samples: number; readonly frames: number } {
  const samples = samplesOf(store, params.samples)
  let frames = 0
  for (const { snapshot, rows } of samples)
    for (const row of rows) frames += store.stacks.depth(snapshot.rows.node[row] as number)
  return { snapshots: samples.length, samples: countRows(samples), frames }
}
