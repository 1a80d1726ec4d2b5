import { setTimeout as sleep } from 'node:timers/promises'
import { quantityOf } from './quantity.ts'
import { readOutline, type Outline } from './outline.ts'
import type { Lag } from './recorder.ts'
import type { Report, Tolerance, Truth } from './report.ts'
import type { Visit } from './visit.ts'
import type { World } from './world.ts'

/** A panel as it was read again and again. */
export interface Reading {
  readonly atMs: number
  readonly outline: Outline
}

interface Common {
  readonly figure: string
  readonly of?: string
  /** The text of the figure on the page; undefined: it is not shown. */
  readonly shown: (outline: Outline) => string | undefined
  readonly allow?: Tolerance
  /** The figure depends on what else runs on the machine at that moment, as every mean does. */
  readonly isOfMoment?: boolean
}

/** A figure of a panel that shows the current state. */
export type LiveFigure = Common &
  (
    | {
        /** A level: the page shows what it was a while ago. */
        readonly is: 'level'
        readonly truth: (world: World, fromMs: number, toMs: number) => Truth | undefined
        readonly ageMs: number
        /** Moment of the figures, where the page shows it. */
        readonly asOf?: (outline: Outline) => number | undefined
      }
    | {
        /** A rate or a share: its mean over all readings is compared with the truth of the whole time. */
        readonly is: 'mean'
        readonly truth: (world: World, fromMs: number, toMs: number) => Truth | undefined
      }
    | { readonly is: 'text'; readonly truth: (world: World) => string | Promise<string> }
    | {
        /** A figure of the moment of the reading, and of nothing older. */
        readonly is: 'now'
        readonly truth: (world: World, atMs: number) => Promise<Truth> | Truth
      }
  )

/** Reads a panel each second; where no mean is checked, half as often. */
export async function readFor({ page, seconds, health, isWhole }: Visit): Promise<Reading[]> {
  const readings: Reading[] = []
  const endMs = Date.now() + seconds * 1000
  while (Date.now() < endMs) {
    const outline = await readOutline(page)
    readings.push({ atMs: Date.now(), outline })
    health.read(outline)
    await sleep(isWhole ? 1000 : 2000)
  }
  return readings
}

/** Checks the figures of a panel by what was read of it. */
export async function claimAll(
  report: Report,
  panel: string,
  world: World,
  readings: readonly Reading[],
  figures: readonly LiveFigure[],
): Promise<void> {
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`${panel} was never read.`)
  for (const figure of figures) {
    const { figure: name, of = '', allow } = figure
    if (!report.isAlone && (figure.is === 'mean' || figure.isOfMoment === true)) continue
    const common = { figure: name, of, ...(allow === undefined ? {} : { allow }) }
    const text = figure.shown(last.outline)
    switch (figure.is) {
      case 'level': {
        const atMs = figure.asOf?.(last.outline)
        // a moment is shown in whole seconds, of which the fraction is cut off
        const [fromMs, toMs] = atMs === undefined ? [last.atMs - figure.ageMs, last.atMs] : [atMs - 3000, atMs + 1000]
        report.claim(panel, { ...common, shown: text, truth: figure.truth(world, fromMs, toMs) })
        break
      }
      case 'mean':
        report.claim(panel, {
          ...common,
          shown: meanText(readings.map(({ outline }) => figure.shown(outline))),
          truth: figure.truth(world, first.atMs, last.atMs),
        })
        break
      case 'now':
        report.claim(panel, { ...common, shown: text, truth: await figure.truth(world, last.atMs) })
        break
      case 'text':
        report.claim(panel, { ...common, shown: text, truth: await figure.truth(world) })
    }
  }
}

/** The mean of what was shown, as a text in the same unit; undefined when nothing was. */
function meanText(texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.flatMap((text) => quantityOf(text ?? '') ?? [])
  const [first] = known
  if (first === undefined) return undefined
  const mean = known.reduce((sum, { value }) => sum + value, 0) / known.length
  switch (first.unit) {
    case '%':
      return `${(mean * 100).toFixed(2)} %`
    case 'B/s':
      return `${(mean / 2 ** 20).toFixed(3)} MiB/s`
    case 'B':
      return `${(mean / 2 ** 20).toFixed(3)} MiB`
    case '/s':
      return `${mean.toFixed(2)} /s`
    default:
      return `${mean.toFixed(2)}${first.unit === '' ? '' : ` ${first.unit}`}`
  }
}

/** Rate of a counter of the kernel or of an endpoint; `lag`: how old the page's own reading may be. */
export const perSecond =
  (recorder: 'kernel' | 'server', key: string, lag: Lag) =>
  (world: World, fromMs: number, toMs: number): Truth | undefined =>
    world[recorder].rate(key, fromMs, toMs, lag)

/** Least and greatest value of a level in that time. */
export const levelOf =
  (recorder: 'kernel' | 'server', key: string) =>
  (world: World, fromMs: number, toMs: number): Truth | undefined =>
    world[recorder].range(key, fromMs, toMs)

/** A part of the machine's CPU time. */
export const shareOfCpu =
  (key: string, lag: Lag) =>
  (world: World, fromMs: number, toMs: number): Truth | undefined =>
    world.kernel.rate(key, fromMs, toMs, lag, 'all')
