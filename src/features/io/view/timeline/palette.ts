import { lightnessRamp } from '../../../../charts/canvas/colour.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { kindLook } from './kinds.ts'
import { SIZE_STEPS } from '../../../../charts/canvas/size-scale.ts'

/** Resolved colours for one theme and palette. */
export interface IoPalette {
  readonly tokens: CanvasTokens
  /** Eight levels of lightness of a kind's hue, from faint to strong. */
  readonly ramp: (kind: string) => readonly string[]
  /** The hue itself. */
  readonly hue: (kind: string) => string
}

export function buildPalette(tokens: CanvasTokens): IoPalette {
  const hueOf = (token: string): string => tokens.kinds.get(token) ?? '#8c96a3'
  const ramps = new Map(
    [...tokens.kinds.keys()].map((token) => [token, lightnessRamp(hueOf(token), tokens.theme, SIZE_STEPS)]),
  )
  return {
    tokens,
    ramp: (kind) => ramps.get(kindLook(kind).token) ?? [],
    hue: (kind) => hueOf(kindLook(kind).token),
  }
}
