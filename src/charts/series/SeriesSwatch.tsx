import type { ReactNode } from 'react'
import { seriesDash, seriesToken } from './styles.ts'

/** Short sample of a series' line: its hue and its dashes. */
export const SeriesSwatch = ({ position }: { readonly position: number }): ReactNode => (
  <svg width="18" height="8" viewBox="0 0 18 8" aria-hidden="true" style={{ flex: 'none' }}>
    <rect x="0" y="1" width="18" height="6" opacity="0.28" style={{ fill: `var(${seriesToken(position)})` }} />
    <path
      d="M0 4h18"
      fill="none"
      strokeWidth="2"
      strokeDasharray={seriesDash(position).join(' ')}
      style={{ stroke: `var(${seriesToken(position)})` }}
    />
  </svg>
)
