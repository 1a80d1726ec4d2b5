import type { ExportSteps } from '../../../../capture/exporting/exporter.ts'
import type { Pieces } from '../../../../capture/exporting/pieces.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { Weight } from '../../contract/samples.ts'
import type { StackStore } from '../table.ts'
import type { StackSum, StackSums } from './samples-of.ts'
import { weigh } from './samples-of.ts'

const MAX_PROFILES = 200

/**
 * speedscope's own format: a sampled profile of everything, and one for each job, heaviest first. Equal stacks are one
 * sample with a weight, so time has no meaning in it. Source: https://www.speedscope.app/file-format-schema.json
 */
export function* speedscope(store: StackStore, stacks: StackSums, weight: Weight, out: Pieces): ExportSteps {
  const { sums, stem, snapshots } = stacks
  const indexes = new Map<FrameId, number>()
  const indexOf = (frame: FrameId): number => {
    const known = indexes.get(frame)
    if (known !== undefined) return known
    indexes.set(frame, indexes.size)
    return indexes.size - 1
  }
  const samples = sums.map((sum) => stem.trie.path(sum.node).toReversed().map(indexOf))
  out.text('{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"Rookery","shared":{"frames":[')
  let separator = ''
  for (const frame of indexes.keys()) {
    const { full, module } = store.frames.name(frame)
    out.text(`${separator}${JSON.stringify(module === '' ? { name: full } : { name: full, file: module })}`)
    separator = ','
    if (out.hasPiece) yield 0
  }
  out.text(']},"profiles":[')
  const valueOf = (sum: StackSum): number => weigh(sum, weight, snapshots)
  let done = 0
  separator = ''
  for (const [name, members] of profilesOf(store, sums, valueOf)) {
    const weights = members.map((index) => valueOf(sums[index] as StackSum))
    const endValue = weights.reduce((a, b) => a + b, 0)
    const profile = {
      type: 'sampled',
      name,
      unit: 'none',
      startValue: 0,
      endValue,
      samples: members.map((index) => samples[index]),
      weights,
    }
    out.text(`${separator}${JSON.stringify(profile)}`)
    separator = ','
    done = sums.length
    yield done
  }
  out.text(`],"activeProfileIndex":0,"name":${JSON.stringify(`Stacks by ${weight}`)}}`)
  yield done
}

function profilesOf(
  store: StackStore,
  sums: readonly StackSum[],
  valueOf: (sum: StackSum) => number,
): (readonly [name: string, members: readonly number[]])[] {
  const byJob = new Map<number, { members: number[]; value: number }>()
  sums.forEach((sum, index) => {
    let job = byJob.get(sum.job)
    if (job === undefined) byJob.set(sum.job, (job = { members: [], value: 0 }))
    job.members.push(index)
    job.value += valueOf(sum)
  })
  const ranked = [...byJob].toSorted((a, b) => b[1].value - a[1].value).slice(0, MAX_PROFILES)
  return [
    ['All jobs', sums.map((_, index) => index)],
    ...ranked.map(([id, { members }]) => {
      const { label, database } = store.job(id)
      return [database === null ? label : `${label} of ${database}`, members] as const
    }),
  ]
}
