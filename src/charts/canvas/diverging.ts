import { toned } from './colour.ts'

/**
 * Diverging scale from "less" through grey to "more". Blue and orange differ in every common colour blindness and have
 * no other use. Symmetric: −t and t have the same lightness and chroma.
 */
export interface DivergingScale {
  /** −1 (all gone) … 0 (unchanged) … 1 (all new); values beyond are clamped. */
  readonly at: (change: number) => string
  /** Colours of the two ends. */
  readonly less: string
  readonly more: string
}

const LESS = '#2f7fe0'
const MORE = '#e07a1f'
/** Square root, so that small changes can be distinguished from none. */
const steep = (change: number): number => Math.sqrt(Math.min(1, Math.abs(change)))

export function divergingScale(theme: 'dark' | 'light'): DivergingScale {
  const [none, full] = theme === 'dark' ? [0.33, 0.46] : [0.92, 0.78]
  const at = (change: number): string => {
    const strength = Number.isFinite(change) ? steep(change) : 0
    return toned(change < 0 ? LESS : MORE, none + (full - none) * strength, strength)
  }
  return { at, less: at(-1), more: at(1) }
}
