import { spawnSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { startRaven } from '../../support/raven.ts'
import { openPanel } from '../../support/panels.ts'
import { volumeOf } from '../kernel.ts'
import { readOutline, type Outline } from '../outline.ts'
import { quantityOf } from '../quantity.ts'
import { Recorder } from '../recorder.ts'
import type { Bracket, Report, Tolerance } from '../report.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const MIB = 2 ** 20
/** Full within half an hour, and not below the GiB from which on its free space is the finding. */
const VOLUME_MIB = 3072
const FILL_BYTES = 2 * MIB
const FILL_EVERY_MS = 1000
/** Time in which a forecast has to be there: the server reports its volumes once a minute, and two values are too few. */
const FORECAST_MS = 300_000
/** Longer than the server’s figures are apart, so that they are also read at their oldest. */
const READ_MS = 70_000
/** Rates of which the page may have one are means over so much. */
const LEAST_MS = 100_000
const VITALS = 'Server'
const AGE: Tolerance = { absolute: 35_000, relative: 0.1, why: 'free space that the server reports is up to 30 s old' }

/** A volume of its own fills at an even rate: when it will be full, at which rate, and over which time that was seen. */
export async function auditForecast({ page: first, report }: Visit, { raven: { version } }: World): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-forecast-'))
  const volume = join(folder, 'volume')
  await mkdir(volume)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(VOLUME_MIB)}m`, 'tmpfs', volume])
  if (mounted.status !== 0) {
    await rm(folder, { recursive: true })
    report.cannotCheck('Triage', ['Disk full in'], 'this user may mount no volume that fills')
    return
  }
  const dataDir = join(volume, 'data')
  await mkdir(dataDir)
  const own = await startRaven({ version, dataDir })
  const page = await first.context().newPage()
  const over = new AbortController()
  const kernel = new Recorder(500, async () => ({ free: (await volumeOf(volume)).free }))
  let filling: Promise<void> = Promise.resolve()
  try {
    filling = fill(join(volume, 'filler'), over.signal)
    kernel.start()
    const openedMs = Date.now()
    await page.goto(own.studio('#/triage?v=2'))
    const finding = page.getByRole('listitem').filter({ hasText: `The disk ${volume} will be full in ` })
    await finding.first().waitFor({ timeout: FORECAST_MS })
    const seen = { volume, kernel, openedMs }
    await claimForecast(page, report, { ...seen, panel: 'Triage', textOf: (outline) => textOfFinding(outline, volume) })
    await openPanel(page, 'Vitals')
    const group = page.getByRole('group', { name: `Volume ${volume}` })
    await group.getByText(/full in/).waitFor()
    const textOf = (outline: Outline): string => outline.find('group', `Volume ${volume}`)?.text ?? ''
    await claimForecast(page, report, { ...seen, panel: VITALS, textOf })
  } finally {
    over.abort()
    await filling
    await kernel.stop()
    await page.close()
    await own.close()
    spawnSync('umount', [volume])
    await rm(folder, { recursive: true, force: true })
  }
}

const textOfFinding = (outline: Outline, volume: string): string =>
  outline.all('listitem').find(({ text }) => text.includes(`The disk ${volume} will be full in `))?.text ?? ''

/** Appends at an even rate by the clock, whatever a single write takes. */
async function fill(file: string, signal: AbortSignal): Promise<void> {
  const block = Buffer.alloc(FILL_BYTES)
  const beganMs = Date.now()
  for (let blocks = 1; !signal.aborted; blocks++) {
    await appendFile(file, block)
    await sleep(Math.max(0, beganMs + blocks * FILL_EVERY_MS - Date.now()))
  }
}

interface Seen {
  readonly panel: string
  readonly volume: string
  readonly kernel: Recorder
  readonly openedMs: number
  /** Text of the part that has the forecast. */
  readonly textOf: (outline: Outline) => string
}

/** Checks the readings of a minute that are furthest from the truth. */
async function claimForecast(
  page: Page,
  report: Report,
  { panel, volume, kernel, openedMs, textOf }: Seen,
): Promise<void> {
  const readings: { text: string; atMs: number }[] = []
  for (const endMs = Date.now() + READ_MS; Date.now() < endMs; await sleep(1000)) {
    const text = textOf(await readOutline(page))
    readings.push({ text, atMs: Date.now() })
  }
  await sleep(1000)
  const shrinksAt = (atMs: number): Bracket => {
    const shrank = kernel.rate('free', atMs - LEAST_MS, atMs, { leastMs: 0, mostMs: 90_000 })
    return { least: -(shrank?.most ?? Number.NaN), most: -(shrank?.least ?? Number.NaN) }
  }
  const fullAt = (atMs: number): Bracket => {
    const free = kernel.range('free', atMs, atMs)
    const shrinks = shrinksAt(atMs)
    return {
      least: ((free?.least ?? Number.NaN) / shrinks.most) * 1000,
      most: ((free?.most ?? Number.NaN) / shrinks.least) * 1000,
    }
  }
  const claim = (figure: string, pattern: RegExp, truthAt: (atMs: number) => Bracket, allow: Tolerance): void => {
    const shown = readings.flatMap(({ text, atMs }) => {
      const [, words] = pattern.exec(text) ?? []
      return words === undefined ? [] : [{ words, truth: truthAt(atMs) }]
    })
    const furthest = shown.toSorted((a, b) => distance(b.words, b.truth) - distance(a.words, a.truth))[0]
    report.claim(panel, { figure, of: volume, shown: furthest?.words, truth: furthest?.truth, allow })
  }
  claim('Disk full in', /full in (\d+ \w+(?: \d+ \w+)?)/, fullAt, AGE)
  claim(
    'Disk full in: figures of',
    /(?:by figures of|rate of the last) (\d+ \w+(?: \d+ \w+)?)/,
    (atMs) => ({ least: LEAST_MS, most: atMs - openedMs }),
    { absolute: 1000, why: 'figures are of the time since the page was opened' },
  )
  if (panel === 'Triage')
    claim('Disk shrinks by', /shrinks by ([\d.]+ \w+\/s)/, shrinksAt, {
      relative: 0.1,
      why: 'the page has other ends of its interval, of values up to 30 s old',
    })
}

function distance(words: string, { least, most }: Bracket): number {
  const value = quantityOf(words)?.value ?? Number.NaN
  return Math.max(least - value, value - most)
}
