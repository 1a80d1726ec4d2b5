import { diff } from '@codemirror/merge'

/** A change of whole lines of the base. */
interface LineChange {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly isMine: boolean
}

/** Time after which a diff of large texts becomes coarser, ms. */
const DIFF_MS = 2000

/** Changes extended to whole lines, so that two changes in one line overlap. */
function lineChanges(base: string, text: string, isMine: boolean): readonly LineChange[] {
  const found: { from: number; to: number; fromB: number; toB: number }[] = []
  for (const { fromA, toA, fromB, toB } of diff(base, text, { scanLimit: 5000, timeout: DIFF_MS })) {
    const from = base.lastIndexOf('\n', fromA - 1) + 1
    const end = base.indexOf('\n', toA)
    const to = end < 0 ? base.length : end
    const last = found.at(-1)
    const next = { from, to, fromB: fromB - (fromA - from), toB: toB + (to - toA) }
    if (last !== undefined && from <= last.to) Object.assign(last, { to: next.to, toB: next.toB })
    else found.push(next)
  }
  return found.map(({ from, to, fromB, toB }) => ({ from, to, insert: text.slice(fromB, toB), isMine }))
}

/** Merges both changes of a text, each unaltered; null if they touch the same lines. */
export function mergeBoth(base: string, mine: string, theirs: string): string | null {
  const changes = [...lineChanges(base, mine, true), ...lineChanges(base, theirs, false)].toSorted(
    (a, b) => a.from - b.from,
  )
  let merged = ''
  let at = 0
  let last: LineChange | null = null
  for (const change of changes) {
    if (last !== null && last.isMine !== change.isMine && change.from <= last.to) {
      if (change.from === last.from && change.to === last.to && change.insert === last.insert) continue
      return null
    }
    merged += base.slice(at, change.from) + change.insert
    at = change.to
    last = change
  }
  return merged + base.slice(at)
}
