// @ts-check
/** Measures frames of a scripted pan and zoom, and of an empty page in the same run; and frames from hover to card. */

/** @typedef {import('@playwright/test').Page} Page */

export const FRAMES = 180

/**
 * Time between frames, ms, while `step` runs once per frame.
 * @typedef {{ p95: number, max: number, longestTaskMs: number }} Frames
 */

/** @param {import('./browser.mjs').Bench} bench @returns {Promise<Frames>} of a page in which nothing happens */
export async function emptyFrames({ browser, emptyUrl }) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(emptyUrl)
  const frames = await measure(page, 'none')
  await page.close()
  return frames
}

/** @param {Page} page an I/O panel with data @returns {Promise<{ pan: Frames, zoom: Frames }>} */
export async function movingFrames(page) {
  await page.getByRole('button', { name: 'Fit all' }).click()
  await page.evaluate(() => globalThis.rookery.idle())
  for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
  const pan = await measure(page, 'pan')
  const zoom = await measure(page, 'zoom')
  return { pan, zoom }
}

/** @param {Page} page @param {'none' | 'pan' | 'zoom'} what @returns {Promise<Frames>} */
export function measure(page, what) {
  return page.evaluate(
    async ({ what, frames }) => {
      const canvas = document.querySelector('[role="application"]') ?? document.body
      const box = canvas.getBoundingClientRect()
      let longestTaskMs = 0
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, entry.duration)
      })
      observer.observe({ type: 'longtask', buffered: false })
      const step = (/** @type {number} */ i) => {
        if (what === 'none') return
        const forth = Math.floor(i / 45) % 2 === 0 ? 1 : -1
        const wheel = what === 'pan' ? { deltaY: 40 * forth, shiftKey: true } : { deltaY: -60 * forth }
        canvas.dispatchEvent(
          new WheelEvent('wheel', {
            ...wheel,
            clientX: box.x + box.width / 2,
            clientY: box.y + box.height / 2,
            bubbles: true,
            cancelable: true,
          }),
        )
      }
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let i = 0; i < 10; i++) await frame()
      performance.mark(`begin:${what}`)
      /** @type {number[]} */
      const spans = []
      let last = performance.now()
      for (let i = 0; i < frames; i++) {
        step(i)
        await frame()
        const now = performance.now()
        spans.push(now - last)
        last = now
      }
      await frame()
      performance.mark(`end:${what}`)
      observer.disconnect()
      const sorted = spans.toSorted((a, b) => a - b)
      return { p95: sorted[Math.floor(sorted.length * 0.95)] ?? NaN, max: sorted.at(-1) ?? NaN, longestTaskMs }
    },
    { what, frames: FRAMES },
  )
}

/**
 * Number of frames from the pointer resting on a mark until its card appears: the median of several marks.
 * @param {Page} page
 * @returns {Promise<number>} NaN when no mark was met
 */
export function hoverFrames(page) {
  return page.evaluate(async () => {
    const canvas = document.querySelector('[role="application"]')
    if (canvas === null) return Number.NaN
    const box = canvas.getBoundingClientRect()
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const move = (/** @type {number} */ x, /** @type {number} */ y) => {
      const at = { clientX: x, clientY: y, bubbles: true, pointerId: 1, pointerType: 'mouse' }
      canvas.dispatchEvent(new PointerEvent('pointermove', at))
    }
    const card = () => document.querySelector('[role="tooltip"]')?.textContent ?? ''
    /** @type {number[]} */
    const waits = []
    for (let y = box.y + 40; y < box.bottom && waits.length < 9; y += 3)
      for (let x = box.x + 20; x < box.right && waits.length < 9; x += 97) {
        move(box.x + 2, box.y + 2)
        await frame()
        await frame()
        move(x, y)
        for (let frames = 1; frames <= 6; frames++) {
          await frame()
          if (card() === '') continue
          waits.push(frames)
          break
        }
      }
    return waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)] ?? Number.NaN
  })
}
