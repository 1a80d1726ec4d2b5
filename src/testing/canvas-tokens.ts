import type { CanvasTokens } from '../charts/canvas/tokens.ts'

/** The dark theme, as a canvas sees it. */
export const TEST_TOKENS: CanvasTokens = {
  theme: 'dark',
  bg: '#12151a',
  bgRaised: '#191d24',
  bgSunken: '#0d0f13',
  fg: '#e7eaef',
  fgMuted: '#9aa5b4',
  border: '#2a303a',
  borderStrong: '#68727f',
  accent: '#55c6c9',
  focus: '#7ee0ff',
  warn: '#e9b44c',
  gap: '#4a525e',
  font: 'sans-serif',
  mono: 'monospace',
  kinds: new Map([
    ['--kind-journal-write', '#4c9aff'],
    ['--kind-data-flush', '#3dbd6c'],
    ['--kind-data-sync', '#ff6464'],
    ['--kind-compression', '#b08bff'],
    ['--kind-unknown', '#8c96a3'],
    ['--error', '#ff7b7b'],
  ]),
}
