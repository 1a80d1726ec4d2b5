// @ts-check
/**
 * Measures opening and moving through I/O metrics of growing size, beside the browser's own floor and the official
 * Studio, in one run.
 */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from './generate.mjs'
import { emptyFrames, FRAMES, hoverFrames, movingFrames } from './moving.mjs'
import { startOfficial } from './official.mjs'
import { floorOf, openInStudio } from './opening.mjs'
import { median, ms, tableOf, writeResults } from './results.mjs'
import { traced } from './tracing.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench */

/** Returns the file of a size, generated on first use. @param {string} folder @param {number} events */
export async function fileOf(folder, events) {
  const path = join(folder, `io-${events}-seed1.json`)
  if (!existsSync(path)) {
    console.log(`Generating ${events.toLocaleString('en-US')} events`)
    await generate(`${path}.part`, events, 1)
    await rename(`${path}.part`, path)
  }
  return path
}

/**
 * @param {Bench} bench @param {string} folder
 * @param {{ sizes: readonly number[], rounds: number, isAlone: boolean, isWritten: boolean }} options `isAlone`: without the peer
 */
export async function runIo(bench, folder, { sizes, rounds, isAlone, isWritten }) {
  const official = isAlone ? null : await startOfficial()
  /** @type {{ events: number, floorMs: number, extrapolated: boolean, ms: number, readMs: number, firstMs: number, openTaskMs: number, bytesPerRow: number, openingMb: number, restMb: number, empty: import('./moving.mjs').Frames, pan: import('./moving.mjs').Frames, zoom: import('./moving.mjs').Frames, panCpuMs: number, zoomCpuMs: number, hover: number, peer: string }[]} */
  const results = []
  /** Floor per event at the largest size that fits into a string. */
  let floorPerEvent = Number.NaN
  for (const events of sizes) {
    const file = await fileOf(folder, events)
    const floors = []
    const openings = []
    /** @type {({ ms: number, longestTaskMs: number } | { refused: string })[]} */
    const peers = []
    const many = events > 2_000_000 ? 1 : rounds
    let moved = null
    for (let round = 0; round < many; round++) {
      floors.push(await floorOf(bench, file))
      const { page, ...opening } = await openInStudio(bench, file, events)
      openings.push(opening)
      if (round === many - 1) {
        moved = { empty: await emptyFrames(bench), ...(await movingFrames(page)), hover: await hoverFrames(page) }
        const { spans } = (await traced(bench, page, () => movingFrames(page))).tasks
        const ofFrame = (/** @type {string} */ name) => (spans[name]?.mainCpuMs ?? Number.NaN) / FRAMES
        moved = { ...moved, panCpuMs: ofFrame('pan'), zoomCpuMs: ofFrame('zoom') }
      }
      await page.close()
      // A peer that refused a file is not given it again.
      if (official !== null && !peers.some((peer) => 'refused' in peer)) peers.push(await official.open(bench, file))
    }
    if (moved === null) throw new Error('no round was run')
    const measured = median(floors)
    const extrapolated = Number.isNaN(measured)
    const floorMs = extrapolated ? floorPerEvent * events : measured
    if (!extrapolated) floorPerEvent = measured / events
    results.push({
      events,
      floorMs,
      extrapolated,
      ms: median(openings.map((each) => each.ms)),
      readMs: median(openings.map((each) => each.readMs)),
      firstMs: median(openings.map((each) => each.firstMs)),
      openTaskMs: median(openings.map((each) => each.longestTaskMs)),
      bytesPerRow: openings[0]?.bytesPerRow ?? Number.NaN,
      openingMb: median(openings.map((each) => each.openingMb)),
      restMb: median(openings.map((each) => each.restMb)),
      ...moved,
      peer: describePeer(peers),
    })
    console.log(results.at(-1))
  }
  await official?.close()

  const rows = results.map((r) => [
    r.events.toLocaleString('en-US'),
    `${ms(r.floorMs)}${r.extrapolated ? ' (extrapolated)' : ''}`,
    ms(r.ms),
    (r.ms / r.floorMs).toFixed(2),
    (r.readMs / r.floorMs).toFixed(2),
    ms(r.firstMs),
    ms(r.openTaskMs),
    r.bytesPerRow.toFixed(1),
    `${Math.round(r.openingMb)} / ${Math.round(r.restMb)} MB`,
    (r.pan.p95 / r.empty.p95).toFixed(2),
    (r.zoom.p95 / r.empty.p95).toFixed(2),
    ms(Math.max(r.pan.longestTaskMs, r.zoom.longestTaskMs)),
    `${r.panCpuMs.toFixed(1)} / ${r.zoomCpuMs.toFixed(1)} ms`,
    Number.isNaN(r.hover) ? '–' : String(r.hover),
    r.peer,
  ])
  const table = tableOf(
    [
      'events',
      'floor',
      'opened and drawn',
      'ratio',
      'in tables, ratio',
      'first picture',
      'longest task, opening',
      'bytes/event',
      'process above its base, opening / at rest',
      'pan p95 / empty',
      'zoom p95 / empty',
      'longest task, moving',
      'main thread a frame, pan / zoom',
      'hover to card, frames',
      'official Studio',
    ],
    rows,
  )
  console.log(table)
  if (isWritten) await writeResults({ begin: 'table', end: 'end' }, table, bench.browser)
}

/** @param {readonly ({ ms: number, longestTaskMs: number } | { refused: string })[]} peers @returns {string} */
function describePeer(peers) {
  /** @type {{ ms: number, longestTaskMs: number }[]} */
  const opened = []
  for (const peer of peers) {
    if ('refused' in peer) return `does not: ${peer.refused.slice(0, 80)}`
    opened.push(peer)
  }
  if (opened.length === 0) return 'not run'
  const longest = median(opened.map(({ longestTaskMs }) => longestTaskMs))
  return `${ms(median(opened.map((peer) => peer.ms)))}, longest task ${ms(longest)}`
}
