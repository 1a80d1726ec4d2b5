import { toned } from '../../../../charts/canvas/colour.ts'
import { divergingScale } from '../../../../charts/canvas/diverging.ts'
import type { FlameLook } from '../../../../charts/flame/flame-draw.ts'
import { FRAME_CATEGORIES, type FrameCategory } from '../../../../feeds/stacks/contract/frames.ts'

interface CategoryLook {
  readonly category: FrameCategory
  readonly title: string
  readonly meaning: string
  /** Hue. Categories also differ by pattern where it matters (user code), and by the name in the box. */
  readonly hue: string
}

const LOOKS: Readonly<Record<FrameCategory, Omit<CategoryLook, 'category'>>> = {
  pseudo: { title: 'Not a function', meaning: 'native code, CPU time, or frames that are folded', hue: '#8c96a3' },
  runtime: { title: '.NET', meaning: 'the runtime and its libraries', hue: '#76879c' },
  web: { title: 'Web server', meaning: 'Kestrel, which takes requests', hue: '#3aa7a3' },
  server: { title: 'RavenDB', meaning: 'the database server', hue: '#4c8dff' },
  storage: { title: 'Voron', meaning: 'the storage engine', hue: '#e0822f' },
  search: { title: 'Corax, Lucene', meaning: 'the search engines', hue: '#a878ff' },
  index: { title: 'Your indexes', meaning: 'compiled indexes and their scripts', hue: '#3fb467' },
  other: { title: 'Other', meaning: 'libraries', hue: '#b59a4a' },
}

export const CATEGORY_LOOKS: readonly CategoryLook[] = FRAME_CATEGORIES.map((category) =>
  Object.assign({ category }, LOOKS[category]),
)

/** Hue of marks beside a name; fills of boxes are toned by theme. */
export const categoryHue = (category: FrameCategory): string => LOOKS[category].hue

export const categoryTitle = (category: FrameCategory): string => LOOKS[category].title

/** Fills and inks of one theme. */
export interface FramePalette {
  readonly fillOf: (category: FrameCategory) => string
  /** `change` −1 … 1: less or more than on the other side; NaN: on neither side. */
  readonly changeOf: (change: number) => string
  readonly ink: string
  /** Hatching of frames that vanished, so that they differ from new ones without hue. */
  readonly hatch: string
}

export function framePalette(theme: 'dark' | 'light', fg: string): FramePalette {
  const lightness = theme === 'dark' ? 0.43 : 0.86
  // Frames that only pass on calls are less prominent.
  const quiet = theme === 'dark' ? 0.32 : 0.91
  const isQuiet = (category: FrameCategory): boolean => category === 'pseudo' || category === 'runtime'
  const fills = new Map(
    CATEGORY_LOOKS.map(({ category, hue }) => [
      category,
      category === 'pseudo'
        ? toned(hue, quiet - 0.03, 0.5)
        : toned(hue, isQuiet(category) ? quiet : lightness, isQuiet(category) ? 0.8 : 0.62),
    ]),
  )
  const scale = divergingScale(theme)
  return {
    fillOf: (category) => fills.get(category) ?? '#888888',
    changeOf: scale.at,
    ink: fg,
    hatch: theme === 'dark' ? '#9ec5ff' : '#1c5fb8',
  }
}

/** Change below which a frame counts as vanished. */
const VANISHED = -0.98

/** Style of a frame as a box. */
export function frameLook(
  palette: FramePalette,
  category: FrameCategory,
  faint: boolean,
  /** Change from the compared snapshots, −1 to 1; null: no comparison. */
  change: number | null,
): FlameLook {
  return {
    fill: change === null ? palette.fillOf(category) : palette.changeOf(change),
    ink: palette.ink,
    hatch:
      change !== null
        ? change <= VANISHED
          ? palette.hatch
          : null
        : category === 'index' && !faint
          ? palette.fillOf('pseudo')
          : null,
    faint,
  }
}
