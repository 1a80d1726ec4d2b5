import { FOLDED } from '../frames.ts'
import { tryMatch } from '../pattern.ts'
import type { FrameRow, FramesResponse, FramesParams } from '../../contract/frames.ts'
import type { FrameId } from '../../contract/ids.ts'
import type { StackStore } from '../table.ts'
import { Folding } from '../trees/folding.ts'
import type { Pictures } from '../trees/picture.ts'
import type { StemWeights } from '../trees/weights.ts'

interface Sums {
  self: number
  total: number
  selfAgainst: number
  totalAgainst: number
}

/** Every function once. In `total`, a recursive frame counts once for each sample, at its outermost place. */
export function framesResponse(store: StackStore, pictures: Pictures, params: FramesParams): FramesResponse {
  const weights = pictures.weightsOf(params.view)
  const { matches, error } = tryMatch(params.match)
  const rows: FrameRow[] = []
  for (const [frame, sums] of sumFrames(store, weights, params.view.fold)) {
    if (!matches(store.frames.text(frame))) continue
    rows.push({ name: store.frames.name(frame), ...sums, change: changeOf(sums, params.view.against !== null) })
  }
  const key = KEYS[params.sort]
  const sign = params.descending ? -1 : 1
  rows.sort((a, b) => sign * compare(key(a), key(b)) || compare(a.name.full, b.name.full))
  return {
    total: rows.length,
    matchError: error,
    rows: rows.slice(params.offset, params.offset + params.limit),
    weight: weights.own.whole[0] ?? 0,
    against: weights.against.whole[0] ?? 0,
  }
}

const KEYS: Readonly<Record<FramesParams['sort'], (row: FrameRow) => number | string>> = {
  self: (row) => row.self + row.selfAgainst,
  total: (row) => row.total + row.totalAgainst,
  name: (row) => row.name.short,
  change: (row) => row.total - row.totalAgainst,
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)

function changeOf({ total, totalAgainst }: Sums, isCompared: boolean): FrameRow['change'] {
  if (!isCompared || total === totalAgainst) return 'same'
  if (totalAgainst === 0) return 'new'
  if (total === 0) return 'vanished'
  return total > totalAgainst ? 'grew' : 'shrank'
}

/** Sums frames over the stacks themselves, in one pass, independent of the direction. */
function sumFrames(
  { stacks, frames }: StackStore,
  { own, against, length }: StemWeights,
  fold: boolean,
): Map<FrameId, Sums> {
  const seen = new Folding(frames, fold, null).seen()
  const columns = Array.from({ length: 4 }, () => new Float64Array(frames.length))
  const [self, total, selfAgainst, totalAgainst] = columns as [Float64Array, Float64Array, Float64Array, Float64Array]
  const met = new Uint8Array(frames.length)
  /** 1: a folded frame is at it or above it. */
  const isFolded = new Uint8Array(fold ? length : 0)
  for (let node = 1; node < length; node++) {
    const whole = own.whole[node] as number
    const wholeAgainst = against.whole[node] as number
    if (whole + wholeAgainst === 0) continue
    const frame = seen[stacks.frames[node] as number] as number
    let isOutermost = stacks.repeats[node] === 0
    if (fold) {
      const above = isFolded[stacks.parents[node] as number] as number
      isFolded[node] = frame === FOLDED ? 1 : above
      if (frame === FOLDED) isOutermost = above === 0
    }
    met[frame] = 1
    self[frame] = (self[frame] as number) + (own.self[node] as number)
    selfAgainst[frame] = (selfAgainst[frame] as number) + (against.self[node] as number)
    if (!isOutermost) continue
    total[frame] = (total[frame] as number) + whole
    totalAgainst[frame] = (totalAgainst[frame] as number) + wholeAgainst
  }
  const sums = new Map<FrameId, Sums>()
  met.forEach((isMet, frame) => {
    if (isMet === 1)
      sums.set(frame, {
        self: self[frame] as number,
        total: total[frame] as number,
        selfAgainst: selfAgainst[frame] as number,
        totalAgainst: totalAgainst[frame] as number,
      })
  })
  return sums
}
