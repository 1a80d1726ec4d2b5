import { lightnessRamp, oklchColour } from '../../../charts/canvas/colour.ts'
import { SIZE_STEPS } from '../../../charts/canvas/size-scale.ts'
import type { CanvasTokens } from '../../../charts/canvas/tokens.ts'
import { FAMILY_LOOKS, FAMILY_ORDER } from './families.ts'
import type { OperationFamily } from '../../../feeds/indexing/contract/operations.ts'

/** Resolved colours for one theme and palette. */
export interface IndexingPalette {
  readonly tokens: CanvasTokens
  /** Eight levels of lightness of a batch that worked, from faint to strong. */
  readonly worked: readonly string[]
  readonly failed: string
  readonly waiting: string
  readonly empty: string
  readonly family: (family: OperationFamily | 'other') => string
  /** Colours of stacked indexes, by position; they repeat after twelve. */
  readonly series: (place: number) => string
  /** Parts of the machine's memory. */
  readonly memory: Record<'private' | 'clean' | 'other' | 'available', string>
}

const SERIES_HUES = [205, 285, 150, 60, 330, 240, 105, 20, 180, 310, 85, 265]

export function buildPalette(tokens: CanvasTokens): IndexingPalette {
  const dark = tokens.theme === 'dark'
  const middle = dark ? 0.62 : 0.66
  const reach = dark ? 0.13 : 0.11
  const families = new Map(
    FAMILY_ORDER.map((family) => {
      const { hueDegrees, chroma, lift } = FAMILY_LOOKS[family]
      return [family, oklchColour({ lightness: middle + lift * reach, chroma, hueDegrees })]
    }),
  )
  const kind = (name: string): string => tokens.kinds.get(name) ?? '#8c96a3'
  const mark = (lightness: number, chroma: number, hueDegrees: number): string =>
    oklchColour({ lightness: dark ? lightness : 1.22 - lightness, chroma, hueDegrees })
  return {
    tokens,
    worked: lightnessRamp(tokens.accent, tokens.theme, SIZE_STEPS),
    failed: kind('--error'),
    waiting: tokens.warn,
    empty: tokens.borderStrong,
    family: (family) => families.get(family) ?? tokens.fgMuted,
    series: (place) =>
      oklchColour({
        lightness: (dark ? 0.66 : 0.62) + (place % 2 === 0 ? 0.05 : -0.05),
        chroma: 0.1,
        hueDegrees: SERIES_HUES[place % SERIES_HUES.length] ?? 0,
      }),
    memory: {
      private: mark(0.68, 0.12, 250),
      clean: mark(0.55, 0.04, 160),
      other: mark(0.5, 0.015, 250),
      available: mark(0.8, 0.1, 160),
    },
  }
}
