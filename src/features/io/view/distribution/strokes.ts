import { kindLook } from '../timeline/kinds.ts'

/** How hue is backed: dashes by the order of the kinds. */
export const DASHES = ['', '7 3', '2 3', '8 3 2 3', '1 4']

/** Stroke of the kind that is the `i`th of a chart. */
export const strokeOf = (kind: string, i: number) => ({
  style: { stroke: `var(${kindLook(kind).token})` },
  strokeDasharray: DASHES[i % DASHES.length],
})
