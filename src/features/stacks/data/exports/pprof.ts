import { Protobuf } from './protobuf.ts'
import type { Snapshot, StackStore } from '../table.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { StackSums } from './samples-of.ts'

/** 2020-01-01T00:00:00Z, where ticks begin, since 1970. */
const EPOCH_NANOS = 1_577_836_800_000_000_000n

/**
 * A profile as pprof has it: two values a sample (how often it was seen; thousandths of a percent of all cores, summed
 * over the snapshots), leaf first, labelled with its job. Source: github.com/google/pprof, proto/profile.proto.
 */
export function pprofBytes(
  store: StackStore,
  stacks: StackSums,
  snapshots: readonly Snapshot[],
): Uint8Array<ArrayBuffer> {
  const profile = new Protobuf()
  const strings = new StringTable()
  const valueType = (field: number, type: string, unit: string): void =>
    profile.message(field, (value) => {
      value.int(1, strings.of(type))
      value.int(2, strings.of(unit))
    })
  valueType(1, 'samples', 'count')
  valueType(1, 'cpu', 'millipercent')
  const functions = new Map<FrameId, number>()
  const idOf = (frame: FrameId): number => {
    const known = functions.get(frame)
    if (known !== undefined) return known
    functions.set(frame, functions.size + 1)
    return functions.size
  }
  const jobKey = strings.of('job')
  const databaseKey = strings.of('database')
  for (const sum of stacks.sums) {
    const job = store.job(sum.job)
    profile.message(2, (sample) => {
      sample.packed(1, stacks.stem.trie.path(sum.node).map(idOf))
      sample.packed(2, [sum.samples, Math.round(sum.cpuPercent * 1000)])
      const label = (key: number, text: string): void =>
        sample.message(3, (pair) => {
          pair.int(1, key)
          pair.int(2, strings.of(text))
        })
      label(jobKey, job.label)
      if (job.database !== null) label(databaseKey, job.database)
    })
  }
  for (const id of functions.values())
    profile.message(4, (location) => {
      location.int(1, id)
      location.message(4, (line) => line.int(1, id))
    })
  for (const [frame, id] of functions) {
    const { full, short, module } = store.frames.name(frame)
    profile.message(5, (fn) => {
      fn.int(1, id)
      fn.int(2, strings.of(short))
      fn.int(3, strings.of(full))
      fn.int(4, strings.of(module))
    })
  }
  const times = snapshots.map(({ info }) => info.atTicks).filter((at) => !Number.isNaN(at))
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (times.length > 0) {
    profile.bigint(9, EPOCH_NANOS + BigInt(first) * 100n)
    profile.bigint(10, BigInt(last - first) * 100n)
  }
  profile.int(14, strings.of('samples'))
  // Last, since everything before may have added to it; the order of fields is free.
  for (const text of strings.all) profile.text(6, text)
  return profile.finish()
}

/** Index 0 is the empty text, as the format wants. */
class StringTable {
  readonly #ids = new Map<string, number>([['', 0]])

  of(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    this.#ids.set(text, this.#ids.size)
    return this.#ids.size - 1
  }

  get all(): Iterable<string> {
    return this.#ids.keys()
  }
}

export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
