import type { ReactNode } from 'react'

/** Outlines on a 16 × 16 grid, drawn with the colour of the text. */
const PATHS = {
  add: 'M8 3v10M3 8h10',
  alert: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  book: 'M3.5 2h9v12h-9zM6 2v12M8.5 5h2M8.5 8h2',
  braces: 'M6 2.5C4 2.5 5 7 3 8c2 1 1 5.5 3 5.5M10 2.5c2 0 1 4.5 3 5.5-2 1-1 5.5-3 5.5',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.8h11M5.5 2v3M10.5 2v3',
  camera: 'M2 5h3l1-1.8h4L11 5h3v8H2zM8 11.2a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  chevron: 'm4 6 4 4 4-4',
  cluster: 'M6.6 2h2.8v2.8H6.6zM2 11.2h2.8V14H2zM11.2 11.2H14V14h-2.8zM8 4.8V8M3.4 11.2V8h9.2v3.2',
  close: 'm4 4 8 8M12 4l-8 8',
  compare: 'M5 3v10M11 3v10M2 6l3-3 3 3M8 10l3 3 3-3',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  database: 'M2.8 4c0-2.6 10.4-2.6 10.4 0S2.8 6.6 2.8 4v8c0 2.6 10.4 2.6 10.4 0V4M2.8 8c0 2.6 10.4 2.6 10.4 0',
  disk: 'M2 9.5h12v4H2zM2 9.5l2-7h8l2 7M11.5 11.5h.1',
  earlier: 'm10 3.5-4.5 4.5 4.5 4.5',
  export: 'M8 2v8M4.8 7 8 10.2 11.2 7M2.5 10.5v3h11v-3',
  file: 'M3.5 1.8h5.5l3.5 3.5v8.9h-9zM9 1.8v3.5h3.5',
  flame: 'M2 11h12v2.5H2zM2 7h8v2.5H2zM2 3h4v2.5H2z',
  fold: 'M2 2.8h12v10.4H2zM6 2.8v10.4',
  gauge: 'M2 12a6.2 6.2 0 1 1 12 0M8 11l2.8-4',
  info: 'M8 14.2a6.2 6.2 0 1 0 0-12.4 6.2 6.2 0 0 0 0 12.4M8 7.3v3.7M8 4.9V5',
  history: 'M2.6 8a5.4 5.4 0 1 1 1.6 3.8M2.4 12.6V9.4h3.2M8 5v3.2l2.2 1.6',
  keyboard: 'M1.5 4h13v8.5h-13zM4 6.7h.1M6.7 6.7h.1M9.3 6.7h.1M12 6.7h.1M5 10h6',
  layers: 'M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3',
  lanes: 'M2 4h7M6 8h8M2 12h5M9.5 12H14',
  later: 'm6 3.5 4.5 4.5-4.5 4.5',
  list: 'M2.5 4h.1M2.5 8h.1M2.5 12h.1M5.5 4h8M5.5 8h8M5.5 12h8',
  log: 'M4 2v12M2.6 4.5h2.8M2.6 8h2.8M2.6 11.5h2.8M8.5 4.5h5M8.5 8h5M8.5 11.5h5',
  lock: 'M3.5 7.2h9v6.3h-9zM5.4 7.2V5a2.6 2.6 0 0 1 5.2 0v2.2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  moon: 'M13.5 9.6A5.9 5.9 0 0 1 6.4 2.5a5.9 5.9 0 1 0 7.1 7.1',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  prompt: 'm3 5 3 3-3 3M7.5 11.5h5',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  reload: 'M13.2 8a5.2 5.2 0 1 1-1.6-3.8M13.4 2v3h-3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3 14 14',
  server: 'M2 2.8h12v4.4H2zM2 8.8h12v4.4H2zM4.6 5h.1M4.6 11h.1',
  stall: 'M4 2h8M4 14h8M5 2v2.5L8 8l3-3.5V2M5 14v-2.5L8 8l3 3.5V14',
  timeline: 'M2 4h6M5 8h6M8 12h6',
  unlock: 'M3.5 7.2h9v6.3h-9zM5.4 7.2V5a2.6 2.6 0 0 1 5.1-.7',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13',
} as const

export type IconName = keyof typeof PATHS

/** Decorative: the control around it has an accessible name. */
export function Icon({ name, sizePx = 16 }: { readonly name: IconName; readonly sizePx?: number }): ReactNode {
  return (
    <svg width={sizePx} height={sizePx} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
