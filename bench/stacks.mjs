// @ts-check
/**
 * Measures the stacks panel: opening large snapshots, searching and inverting them; beside the browser's floor in one
 * run.
 */
import { existsSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { generateStacks } from './generate-stacks.mjs'
import { floorOf } from './opening.mjs'
import { median, megabytes, ms, tableOf, writeResults } from './results.mjs'
import { traced } from './tracing.mjs'

/** @typedef {import('./browser.mjs').Bench} Bench @typedef {import('@playwright/test').Page} Page */

const CASES = [
  { name: '10,000 threads', file: 'wide', shape: { threads: 10_000, snapshots: 1, depth: 60 } },
  {
    name: '10,000 threads, an entry each',
    file: 'wide-each',
    shape: { threads: 10_000, snapshots: 1, depth: 60, perThread: true },
  },
  { name: '200 snapshots × 400 threads', file: 'long', shape: { threads: 400, snapshots: 200, depth: 60 } },
]

/**
 * Actions in the flame graph, in this order, each for the first time: `press` is the name of a button or switch; `find`
 * a text to search; `box` a place of the graph that is clicked. `isTable`: the result is a table.
 */
const ACTIONS = /** @type {const} */ ([
  { name: 'search', find: 'Write' },
  { name: 'search for another', find: 'Journal' },
  { name: 'from the leaf', press: 'From the leaf' },
  { name: 'from the root again', press: 'From the root' },
  { name: 'zoom', box: { x: 0.12, yPx: 110 } },
  { name: 'around a function', press: 'Callers and callees' },
  { name: 'back to all stacks', press: 'Back to all stacks' },
  { name: 'unfolded', press: 'Fold framework' },
  { name: 'unfolded, from the leaf', press: 'From the leaf' },
  { name: 'by CPU', press: 'CPU' },
  { name: 'functions', press: 'Functions', isTable: true },
  { name: 'over time', press: 'Over time' },
  { name: 'threads', press: 'Threads', isTable: true },
  { name: 'threads, ungrouped', press: 'Group by job', isTable: true },
  { name: 'search threads', find: 'Write', isTable: true },
])

/**
 * @typedef {{ ms: number, workerCpuMs: number, longestMs: number, longestCpuMs: number }} Acted
 * @typedef {object} Result
 * @property {string} name @property {number} bytes @property {number} floorMs
 * @property {number} readMs until all of it is in tables @property {number} firstMs @property {number} drawnMs
 * @property {number} bytesPerRow @property {number} longestMs @property {number} longestCpuMs @property {readonly Acted[]} actions
 */

/** @param {Bench} bench @param {string} folder @param {{ rounds: number, isWritten: boolean }} options */
export async function runStacks(bench, folder, { rounds, isWritten }) {
  /** @type {Result[]} */
  const results = []
  for (const each of CASES) {
    const file = await fileOf(folder, each)
    /** @type {Awaited<ReturnType<typeof runOnce>>[]} */
    const runs = []
    for (let round = 0; round < rounds; round++) runs.push(await runOnce(bench, file))
    const of = (/** @type {(run: Awaited<ReturnType<typeof runOnce>>) => number} */ value) => median(runs.map(value))
    const result = {
      name: each.name,
      bytes: statSync(file).size,
      floorMs: of((run) => run.floorMs),
      readMs: of((run) => run.opened.readMs),
      firstMs: of((run) => run.opened.firstMs),
      drawnMs: of((run) => run.opened.drawnMs),
      bytesPerRow: of((run) => run.opened.bytesPerRow),
      longestMs: of((run) => run.opened.longestMs),
      longestCpuMs: of((run) => run.opened.longestCpuMs),
      actions: ACTIONS.map(({ name }) => ({
        ms: of((run) => run.actions[name]?.ms ?? NaN),
        workerCpuMs: of((run) => run.actions[name]?.workerCpuMs ?? NaN),
        longestMs: of((run) => run.actions[name]?.longestMs ?? NaN),
        longestCpuMs: of((run) => run.actions[name]?.longestCpuMs ?? NaN),
      })),
    }
    results.push(result)
    console.log(JSON.stringify(result, null, 1))
  }
  const opening = tableOf(
    [
      'snapshots',
      'bytes',
      'floor',
      'in tables',
      'ratio',
      'first picture',
      'drawn after the bytes',
      'longest task, CPU of it',
      'bytes/thread',
    ],
    results.map((r) => [
      r.name,
      megabytes(r.bytes),
      ms(r.floorMs),
      ms(r.readMs),
      (r.readMs / r.floorMs).toFixed(2),
      `${ms(r.firstMs)} (${(r.firstMs / r.floorMs).toFixed(2)})`,
      ms(r.drawnMs - r.readMs),
      `${ms(r.longestMs)}, ${ms(r.longestCpuMs)}`,
      Math.round(r.bytesPerRow).toString(),
    ]),
  )
  const actions = tableOf(
    [
      'until it is drawn (ratio to the floor; CPU of the worker; longest task, CPU of it)',
      ...results.map(({ name }) => name),
    ],
    ACTIONS.map(({ name }, i) => [
      name,
      ...results.map((r) => {
        const done = r.actions[i]
        return done === undefined
          ? '–'
          : `${ms(done.ms)} (${(done.ms / r.floorMs).toFixed(2)}; ${ms(done.workerCpuMs)}; ${ms(done.longestMs)}, ${ms(done.longestCpuMs)})`
      }),
    ]),
  )
  const body = `${opening}\n\n${actions}`
  console.log(body)
  if (isWritten) await writeResults({ begin: 'stacks', end: 'end stacks' }, body, bench.browser)
}

/** @param {string} folder @param {typeof CASES[number]} of */
async function fileOf(folder, { name, file, shape }) {
  const path = join(folder, `stacks-${file}-seed1.json`)
  if (existsSync(path)) return path
  console.log(`Generating ${name}`)
  await generateStacks(`${path}.part`, shape)
  await rename(`${path}.part`, path)
  return path
}

/** @param {Bench} bench @param {string} file */
async function runOnce(bench, file) {
  const floorMs = await floorOf(bench, file)
  const page = await bench.browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${bench.studioUrl}#/stacks?v=1&stacks.tab=flame&stacks.of=all`)
  await page.waitForFunction(() => 'rookery' in globalThis)
  await page.evaluate(() => globalThis.rookery.idle())
  await page.evaluate(watch)
  const opening = await traced(bench, page, () => open(page, file))
  const acting = await traced(bench, page, async () => {
    /** @type {Record<string, number>} */
    const times = {}
    for (const action of ACTIONS) times[action.name] = await page.evaluate(act, action)
    return times
  })
  await page.close()
  return {
    floorMs,
    opened: { ...opening.value, longestMs: opening.tasks.longestMs, longestCpuMs: opening.tasks.longestCpuMs },
    actions: Object.fromEntries(
      ACTIONS.map(({ name }) => {
        const span = acting.tasks.spans[name] ?? { workerCpuMs: NaN, longestMs: NaN, longestCpuMs: NaN }
        return [name, { ms: acting.value[name] ?? NaN, ...span }]
      }),
    ),
  }
}

/** Records in the page when the file was passed, when anything was drawn, and when the drawn content last changed. */
function watch() {
  const marks = { start: 0, first: 0, drawn: 0, changed: 0 }
  Object.assign(globalThis, { bench: marks })
  // eslint-disable-next-line typescript/unbound-method -- called with the canvas as this, below
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function clear(...args) {
    marks.drawn = performance.now()
    clearRect.apply(this, args)
  }
  CanvasRenderingContext2D.prototype.fillText = function text(...args) {
    if (marks.start > 0 && marks.first === 0) marks.first = performance.now()
    fillText.apply(this, args)
  }
  const main = document.querySelector('main') ?? document.body
  // The notice of a server that does not respond counts seconds: its changes are not counted.
  const isNotice = (/** @type {Node} */ node) => {
    const element = node instanceof Element ? node : node.parentElement
    return / ago\./.test(element?.closest('[role="alert"], [role="status"]')?.textContent ?? '')
  }
  new MutationObserver((records) => {
    if (records.some(({ target }) => !isNotice(target))) marks.changed = performance.now()
  }).observe(main, {
    attributes: true,
    attributeFilter: ['data-old'],
    childList: true,
    characterData: true,
    subtree: true,
  })
  const input = /** @type {HTMLInputElement} */ (document.querySelector('input[aria-label="Open files"]'))
  input.addEventListener('change', () => (marks.start = performance.now()), { capture: true })
}

/** @param {Page} page @param {string} file */
async function open(page, file) {
  await page.locator('input[aria-label="Open files"]').setInputFiles(file)
  return page.evaluate(async () => {
    await globalThis.rookery.idle()
    // The panel sends further requests at intervals of up to half a second: the last change is the one before a second
    // without changes.
    const { bench } = /** @type {{ bench: { start: number, first: number, drawn: number } }} */ (
      /** @type {unknown} */ (globalThis)
    )
    while (performance.now() - bench.drawn < 1000) await new Promise((resolve) => setTimeout(resolve, 50))
    const [read] = performance.getEntriesByName('rookery:file-read')
    const { rows, tables } = globalThis.rookery.memory()
    return {
      readMs: (read?.startTime ?? NaN) - bench.start,
      firstMs: bench.first - bench.start,
      drawnMs: bench.drawn - bench.start,
      bytesPerRow: tables / rows,
    }
  })
}

/**
 * Runs in the page: performs an action and waits until its result is drawn.
 * @param {{ name: string, find?: string, press?: string, isTable?: boolean, box?: { x: number, yPx: number } }} action
 * @returns {Promise<number>} milliseconds from the event to the frame
 */
async function act({ name, find, press, isTable = false, box }) {
  const { bench } = /** @type {{ bench: { drawn: number, changed: number } }} */ (/** @type {unknown} */ (globalThis))
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))
  const button = (/** @type {string} */ wanted) => {
    const all = [...document.querySelectorAll('main button, main [role="radio"], main [role="switch"], main label')]
    const named = (/** @type {Element} */ each) => (each.getAttribute('aria-label') ?? each.textContent).trim()
    const found = all.find((each) => named(each) === wanted)
    if (found === undefined) throw new Error(`${name}: nothing is called ${wanted}`)
    return /** @type {HTMLElement} */ (found)
  }
  const type = (/** @type {string} */ text) => {
    const input = /** @type {HTMLInputElement} */ (document.querySelector('main input[type="search"]'))
    // Like input by typing: React observes the property itself.
    Reflect.set(HTMLInputElement.prototype, 'value', text, input)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const click = (/** @type {{ x: number, yPx: number }} */ { x, yPx }) => {
    const canvas = document.querySelector('main [role="application"]')
    if (canvas === null) throw new Error(`${name}: there is no graph`)
    const rect = canvas.getBoundingClientRect()
    const at = { clientX: rect.x + rect.width * x, clientY: rect.y + yPx, bubbles: true, pointerId: 1, button: 0 }
    for (const kind of ['pointermove', 'pointerdown', 'pointerup'])
      canvas.dispatchEvent(new PointerEvent(kind, { ...at, isPrimary: true, pointerType: 'mouse' }))
  }
  const isBusy = () =>
    document.querySelector('main [data-old]') !== null ||
    /(?:Drawing|Looking for|Laying out) /.test(document.querySelector('main')?.textContent ?? '')
  await globalThis.rookery.idle()
  const ready = performance.now()
  while (performance.now() - ready < 150) await frame()
  const target = press === undefined ? null : button(press)
  performance.mark(`begin:${name}`)
  const start = performance.now()
  if (target !== null) target.click()
  else if (find !== undefined) type(find)
  else if (box !== undefined) click(box)
  // Done when the page has changed, nothing is pending, and the graph was drawn after the last change.
  const isDone = () => {
    if (bench.changed <= start || isBusy()) return false
    if (isTable) return document.querySelectorAll('main [role="row"] [role="cell"]').length > 20
    if (find !== undefined)
      return (document.querySelector('main')?.textContent ?? '').includes(`“${find}” is in`) && bench.drawn > start
    return bench.drawn >= bench.changed
  }
  while (!isDone()) {
    if (performance.now() - start > 20_000) throw new Error(`${name}: nothing was drawn`)
    await frame()
  }
  const drawn = bench.drawn
  // Work that follows belongs to the action, but is not part of its time.
  await globalThis.rookery.idle()
  await frame()
  performance.mark(`end:${name}`)
  // Rows arrive in separate responses.
  const { changed } = bench
  if (find !== undefined) {
    type('')
    await globalThis.rookery.idle()
  }
  return (isTable ? changed : drawn) - start
}
