import { formatBytes } from '../../base/text/format.ts'

/** Number of lightness steps for sizes. */
export const SIZE_STEPS = 8

export interface SizeScale {
  /** Step 0 (faint) … 7 (strong) of a size in bytes. */
  readonly step: (bytes: number) => number
  /** Upper limit of each step except the last, which is open; shown in the legend. */
  readonly limits: readonly number[]
}

const FIRST_LIMIT = 4096

/**
 * Log scale: four times the size is one step. ≤ 4 KiB, 16 KiB, 64 KiB … 16 MiB, more. The same in every view, so that
 * colours can be compared.
 */
const logScale = (firstLimit: number): SizeScale => ({
  step: (bytes) =>
    bytes <= firstLimit ? 0 : Math.min(SIZE_STEPS - 1, Math.ceil(Math.log2(bytes / firstLimit) / 2 - 1e-9)),
  limits: Array.from({ length: SIZE_STEPS - 1 }, (_, step) => firstLimit * 4 ** step),
})

/** Linear scale: eight equal steps up to the power of two above the largest size. */
function linearScale(largestBytes: number): SizeScale {
  const top = 2 ** Math.ceil(Math.log2(Math.max(FIRST_LIMIT * SIZE_STEPS, largestBytes)))
  return {
    step: (bytes) => Math.max(0, Math.min(SIZE_STEPS - 1, Math.ceil((bytes / top) * SIZE_STEPS) - 1)),
    limits: Array.from({ length: SIZE_STEPS - 1 }, (_, step) => (top * (step + 1)) / SIZE_STEPS),
  }
}

/** `firstLimit`: upper limit of the faintest step of the log scale, for things of another order of magnitude. */
export const buildSizeScale = (
  mode: 'log' | 'linear',
  largestBytes: number,
  firstLimit: number = FIRST_LIMIT,
): SizeScale => (mode === 'log' ? logScale(firstLimit) : linearScale(largestBytes))

/** `≤ 4.00 KiB` … `> 16.0 MiB`, one text for each step. */
export const sizeStepLabels = (scale: SizeScale): string[] => [
  ...scale.limits.map((limit) => `≤ ${formatBytes(limit)}`),
  `> ${formatBytes(scale.limits.at(-1) ?? 0)}`,
]
