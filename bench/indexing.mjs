// @ts-check
/** Measures the indexing panel: opening and moving through batches, under the same limits as I/O events. */
import { existsSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { generateBatches } from './generate-batches.mjs'
import { emptyFrames, FRAMES, hoverFrames, movingFrames } from './moving.mjs'
import { floorOf, openInStudio } from './opening.mjs'
import { median, megabytes, ms, tableOf, writeResults } from './results.mjs'
import { traced } from './tracing.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench */

/** Number of batches above which one round is enough, and takes long enough. */
const MANY = 100_000

/** @param {Bench} bench @param {string} folder @param {{ sizes: readonly number[], rounds: number, isWritten: boolean }} options */
export async function runIndexing(bench, folder, { sizes, rounds, isWritten }) {
  /** @type {string[][]} */
  const rows = []
  /** Floor per byte at the largest size that fits into a string. */
  let floorPerByte = Number.NaN
  for (const batches of sizes) {
    const file = await fileOf(folder, batches)
    const bytes = statSync(file).size
    /** @type {Awaited<ReturnType<typeof runOnce>>[]} */
    const runs = []
    const many = batches >= MANY ? 1 : rounds
    for (let round = 0; round < many; round++) {
      const run = await runOnce(bench, file, batches)
      if (!Number.isNaN(run.measuredMs)) floorPerByte = run.measuredMs / bytes
      runs.push(run)
    }
    const of = (/** @type {(run: Awaited<ReturnType<typeof runOnce>>) => number} */ value) => median(runs.map(value))
    const measuredMs = of((run) => run.measuredMs)
    const isMeasured = !Number.isNaN(measuredMs)
    const floorMs = isMeasured ? measuredMs : floorPerByte * bytes
    rows.push([
      batches.toLocaleString('en-US'),
      `${megabytes(bytes)}, ${(bytes / batches / 1000).toFixed(1)} KB`,
      `${ms(floorMs)}${isMeasured ? '' : ' (extrapolated)'}`,
      ms(of(({ opened }) => opened.ms)),
      (of(({ opened }) => opened.ms) / floorMs).toFixed(2),
      (of(({ opened }) => opened.readMs) / floorMs).toFixed(2),
      ms(of(({ opened }) => opened.firstMs)),
      ms(of(({ opened }) => opened.longestTaskMs)),
      Math.round(of(({ opened }) => opened.bytesPerRow)).toString(),
      `${Math.round(of(({ opened }) => opened.openingMb))} / ${Math.round(of(({ opened }) => opened.restMb))} MB`,
      of((run) => run.moved.pan.p95 / run.empty.p95).toFixed(2),
      of((run) => run.moved.zoom.p95 / run.empty.p95).toFixed(2),
      `${of((run) => run.panMs).toFixed(1)}, ${of((run) => run.zoomMs).toFixed(1)} ms`,
      `${ms(of(({ tasks }) => tasks.longestMs))}, ${ms(of(({ tasks }) => tasks.longestCpuMs))}`,
      Number.isNaN(of(({ hover }) => hover)) ? '–' : String(of(({ hover }) => hover)),
    ])
    console.log(rows.at(-1)?.join(' | '))
  }
  const table = tableOf(
    [
      'batches',
      'bytes, of one',
      'floor',
      'opened and drawn',
      'ratio',
      'in tables, ratio',
      'first picture',
      'longest task, opening',
      'bytes/batch',
      'process above its base, opening / at rest',
      'pan p95 / empty',
      'zoom p95 / empty',
      'CPU of a frame, pan, zoom',
      'longest task moving, CPU of it',
      'hover to card, frames',
    ],
    rows,
  )
  console.log(table)
  if (isWritten) await writeResults({ begin: 'indexing', end: 'end indexing' }, table, bench.browser)
}

/** @param {Bench} bench @param {string} file @param {number} batches */
async function runOnce(bench, file, batches) {
  const measuredMs = statSync(file).size > MOST_TEXT ? Number.NaN : await floorOf(bench, file)
  const { page, ...opened } = await openInStudio(bench, file, batches, 'indexing')
  const empty = await emptyFrames(bench)
  const moved = await movingFrames(page)
  // Tracing runs separately, since it takes time of its own.
  const { tasks } = await traced(bench, page, () => movingFrames(page))
  const hover = await hoverFrames(page)
  await page.close()
  const frameMs = (/** @type {'pan' | 'zoom'} */ what) => (tasks.spans[what]?.mainCpuMs ?? Number.NaN) / FRAMES
  return { measuredMs, opened, empty, moved, tasks, hover, panMs: frameMs('pan'), zoomMs: frameMs('zoom') }
}

/** Maximum length of a text in the browser, characters. */
const MOST_TEXT = 2 ** 29 - 25

/** @param {string} folder @param {number} batches */
async function fileOf(folder, batches) {
  const path = join(folder, `batches-${batches}-seed1.json`)
  if (existsSync(path)) return path
  console.log(`Generating ${batches.toLocaleString('en-US')} batches`)
  await generateBatches(`${path}.part`, batches)
  await rename(`${path}.part`, path)
  return path
}
