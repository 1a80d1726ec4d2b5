import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../storage.ts'

const THEME_PREFERENCES = ['system', 'dark', 'light'] as const
type ThemePreference = (typeof THEME_PREFERENCES)[number]

const PALETTES = ['default', 'colour-blind'] as const
type Palette = (typeof PALETTES)[number]

export interface Appearance {
  readonly preference: ThemePreference
  readonly palette: Palette
  /** The resulting theme. */
  readonly theme: 'dark' | 'light'
}

const oneOf = <T extends string>(all: readonly T[], text: string | null, otherwise: T): T =>
  all.find((each) => each === text) ?? otherwise

const darkQuery = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)')

const resolve = (preference: ThemePreference, palette: Palette): Appearance => ({
  preference,
  palette,
  theme: preference === 'system' ? (darkQuery().matches ? 'dark' : 'light') : preference,
})

let current: Appearance | null = null
const listeners = new Set<() => void>()

const read = (): Appearance =>
  (current ??= resolve(
    oneOf(THEME_PREFERENCES, readStored('theme'), 'system'),
    oneOf(PALETTES, readStored('palette'), 'default'),
  ))

/** Sets the attributes that `theme.css` reads, and notifies canvases by `rookery:theme` on window. */
function apply(next: Appearance): void {
  current = next
  document.documentElement.dataset['theme'] = next.theme
  document.documentElement.dataset['palette'] = next.palette
  for (const changed of listeners) changed()
  window.dispatchEvent(new Event('rookery:theme'))
}

/** Call once, before the first render. Follows the system while the preference says so; the result ends that. */
export function startTheme(): () => void {
  apply(read())
  const query = darkQuery()
  const follow = (): void => apply(resolve(read().preference, read().palette))
  query.addEventListener('change', follow)
  return () => query.removeEventListener('change', follow)
}

export function setAppearance(parts: Partial<Pick<Appearance, 'preference' | 'palette'>>): void {
  const preference = parts.preference ?? read().preference
  const palette = parts.palette ?? read().palette
  writeStored('theme', preference)
  writeStored('palette', palette)
  apply(resolve(preference, palette))
}

const subscribe = (changed: () => void): (() => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useAppearance = (): Appearance => useSyncExternalStore(subscribe, read)
