import type { FlameBoxes } from '../../../charts/flame/flame-boxes.ts'
import type { TimingNode } from '../contract.ts'

export interface TimingBox {
  readonly name: string
  readonly ms: number
  readonly depth: number
  /** Share of the width of the root. */
  readonly share: number
}

export interface TimingPicture {
  readonly boxes: FlameBoxes
  /** Timings, in the order of the boxes. */
  readonly all: readonly TimingBox[]
  readonly levels: number
}

/**
 * Timings as an icicle chart: parts are placed inside their whole from the left, with a width proportional to their
 * duration. The server reports whole ms, so that parts may add up to more than their whole; they are then scaled to fit
 * it. `mostMs` is the duration that fills the width.
 */
export function timingPicture(root: TimingNode, mostMs = root.ms): TimingPicture {
  const placed: (TimingBox & { readonly start: number })[] = []
  // Factor for widths only; the shares shown refer to the run itself.
  const scale = mostMs === 0 ? 1 : root.ms / mostMs
  const place = (node: TimingNode, depth: number, start: number, share: number): void => {
    placed.push({ name: node.name, ms: node.ms, depth, start, share })
    const sum = node.parts.reduce((total, part) => total + part.ms, 0)
    const whole = Math.max(sum, node.ms)
    let at = start
    for (const part of node.parts) {
      const width = whole === 0 ? 0 : (share * part.ms) / whole
      place(part, depth + 1, at, width)
      at += width
    }
  }
  place(root, 0, 0, 1)
  const all = placed.toSorted((a, b) => a.depth - b.depth || a.start - b.start)
  return {
    all,
    levels: (all.at(-1)?.depth ?? 0) + 1,
    boxes: {
      length: all.length,
      depth: Uint16Array.from(all, ({ depth }) => depth),
      startShare: Float64Array.from(all, ({ start }) => start * scale),
      endShare: Float64Array.from(all, ({ start, share }) => (start + share) * scale),
    },
  }
}
