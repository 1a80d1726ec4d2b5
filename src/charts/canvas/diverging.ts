import { toned } from './colour.ts'

/**
 * Two hues about a grey, for "less" and "more". Blue and orange: they differ in every common colour blindness, and are
 * used for nothing else. Symmetric: −t and t have the same lightness and strength.
 */
export interface DivergingScale {
  /** −1 (all gone) … 0 (unchanged) … 1 (all new); beyond: clamped. */
  readonly at: (change: number) => string
  /** The two ends. */
  readonly less: string
  readonly more: string
}

const LESS = '#2f7fe0'
const MORE = '#e07a1f'
/** Small changes must be distinguished from none, so the scale rises like a square root. */
const steep = (change: number): number => Math.sqrt(Math.min(1, Math.abs(change)))

export function divergingScale(theme: 'dark' | 'light'): DivergingScale {
  const [none, full] = theme === 'dark' ? [0.33, 0.46] : [0.92, 0.78]
  const at = (change: number): string => {
    const strength = Number.isFinite(change) ? steep(change) : 0
    return toned(change < 0 ? LESS : MORE, none + (full - none) * strength, strength)
  }
  return { at, less: at(-1), more: at(1) }
}
