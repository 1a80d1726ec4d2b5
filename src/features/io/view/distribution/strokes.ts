import { kindLook } from '../timeline/kinds.ts'

/** Dash patterns by the order of kinds, which distinguish lines in addition to hue. */
export const DASHES = ['', '7 3', '2 3', '8 3 2 3', '1 4']

/** Stroke of the `i`th kind of a chart. */
export const strokeOf = (kind: string, i: number) => ({
  style: { stroke: `var(${kindLook(kind).token})` },
  strokeDasharray: DASHES[i % DASHES.length],
})
