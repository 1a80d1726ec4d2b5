import type { LabelInput, SampleInput, ValueTypeInput } from 'pprof-format'
import type { Snapshot, StackStore } from '../table.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { StackSums } from './samples-of.ts'

/** Nanoseconds from 1970 to 2020-01-01T00:00:00Z, where ticks begin. */
const EPOCH_NANOS = 1_577_836_800_000_000_000n

/**
 * A pprof profile with two values for each sample (number of occurrences; thousandths of a percent of all cores, summed
 * over the snapshots), from the leaf, labelled with its job. Source: github.com/google/pprof, proto/profile.proto.
 */
export async function pprofBytes(
  store: StackStore,
  stacks: StackSums,
  snapshots: readonly Snapshot[],
): Promise<Uint8Array<ArrayBuffer>> {
  const { Profile, StringTable } = await import('pprof-format')
  const stringTable = new StringTable()
  const text = (value: string): number => stringTable.dedup(value)
  const valueType = (type: string, unit: string): ValueTypeInput => ({ type: text(type), unit: text(unit) })
  const label = (key: string, value: string): LabelInput => ({ key: text(key), str: text(value) })
  const functions = new Map<FrameId, number>()
  const idOf = (frame: FrameId): number => {
    const id = functions.get(frame) ?? functions.size + 1
    functions.set(frame, id)
    return id
  }
  const sample = stacks.sums.map((sum): SampleInput => {
    const job = store.job(sum.job)
    return {
      locationId: stacks.stem.trie.path(sum.node).map(idOf),
      value: [sum.samples, Math.round(sum.cpuPercent * 1000)],
      label: [label('job', job.label), ...(job.database === null ? [] : [label('database', job.database)])],
    }
  })
  const times = snapshots.map(({ info }) => info.atTicks).filter((at) => !Number.isNaN(at))
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const profile = new Profile({
    sampleType: [valueType('samples', 'count'), valueType('cpu', 'millipercent')],
    sample,
    location: Array.from(functions.values(), (id) => ({ id, line: [{ functionId: id }] })),
    function: Array.from(functions, ([frame, id]) => {
      const { full, short, module } = store.frames.name(frame)
      return { id, name: text(short), systemName: text(full), filename: text(module) }
    }),
    ...(times.length > 0 && {
      timeNanos: EPOCH_NANOS + BigInt(first) * 100n,
      durationNanos: BigInt(last - first) * 100n,
    }),
    defaultSampleType: text('samples'),
    stringTable,
  })
  return profile.encode() as Uint8Array<ArrayBuffer>
}

export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
