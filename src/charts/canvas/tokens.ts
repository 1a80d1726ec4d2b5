import { useSyncExternalStore } from 'react'

/** Resolved colours and fonts of the style sheet that canvases use. */
export interface CanvasTokens {
  readonly theme: 'dark' | 'light'
  readonly bg: string
  readonly bgRaised: string
  readonly bgSunken: string
  readonly fg: string
  readonly fgMuted: string
  readonly border: string
  readonly borderStrong: string
  readonly accent: string
  readonly focus: string
  readonly warn: string
  readonly gap: string
  readonly font: string
  readonly mono: string
  /** By the custom property's name, `--kind-journal-write`, `--wait-disk` … */
  readonly kinds: ReadonlyMap<string, string>
}

const KIND_TOKENS = [
  '--kind-journal-write',
  '--kind-data-flush',
  '--kind-data-sync',
  '--kind-compression',
  '--kind-unknown',
  '--wait-running',
  '--wait-disk',
  '--wait-lock',
  '--wait-network',
  '--wait-memory',
  '--wait-process',
  '--wait-timer',
  '--wait-work',
  '--wait-unknown',
  '--series-first',
  '--series-second',
  '--series-third',
  '--series-fourth',
  '--series-fifth',
  '--series-sixth',
  '--error',
]

function readTokens(): CanvasTokens {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string, otherwise: string): string => {
    const value = style.getPropertyValue(name).trim()
    return value === '' ? otherwise : value
  }
  return {
    theme: document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark',
    bg: read('--bg', '#12151a'),
    bgRaised: read('--bg-raised', '#191d24'),
    bgSunken: read('--bg-sunken', '#0d0f13'),
    fg: read('--fg', '#e7eaef'),
    fgMuted: read('--fg-muted', '#9aa5b4'),
    border: read('--border', '#2a303a'),
    borderStrong: read('--border-strong', '#68727f'),
    accent: read('--accent', '#55c6c9'),
    focus: read('--focus', '#7ee0ff'),
    warn: read('--warn', '#e9b44c'),
    gap: read('--gap', '#4a525e'),
    font: read('--font', 'sans-serif'),
    mono: read('--mono', 'monospace'),
    kinds: new Map(KIND_TOKENS.map((name) => [name, read(name, '#8c96a3')])),
  }
}

let current: CanvasTokens | null = null
const listeners = new Set<() => void>()
const changed = (): void => {
  current = null
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) globalThis.addEventListener('rookery:theme', changed)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    globalThis.removeEventListener('rookery:theme', changed)
    current = null
  }
}

/** Read once for each theme; the `rookery:theme` event on window invalidates them. */
export const useCanvasTokens = (): CanvasTokens => useSyncExternalStore(subscribe, () => (current ??= readTokens()))
