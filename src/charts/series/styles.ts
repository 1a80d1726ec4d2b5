import type { CanvasTokens } from '../canvas/tokens.ts'

/** Styles of the first, second … series of a chart: hue and dashes, so that series never differ by hue alone. */
export const SERIES_STYLES = [
  { token: '--series-first', dash: [] },
  { token: '--series-second', dash: [6, 3] },
  { token: '--series-third', dash: [2, 3] },
  { token: '--series-fourth', dash: [8, 3, 2, 3] },
] as const

export const seriesToken = (position: number): string => SERIES_STYLES[position % SERIES_STYLES.length]?.token ?? '--fg'

export const seriesDash = (position: number): readonly number[] =>
  SERIES_STYLES[position % SERIES_STYLES.length]?.dash ?? []

export const seriesColour = (tokens: CanvasTokens, position: number): string =>
  tokens.kinds.get(seriesToken(position)) ?? tokens.fg
