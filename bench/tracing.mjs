// @ts-check
/**
 * Measures the tasks of the page's threads during an action, by wall clock and by CPU time: on a machine that also does
 * other work, only CPU time shows the cost of the page.
 */

/** @typedef {import('./browser.mjs').Bench} Bench */

/**
 * @typedef {object} Tasks
 * @property {number} longestMs of the main thread, by wall clock
 * @property {number} longestCpuMs the same, by processor time
 * @property {Readonly<Record<string, { mainCpuMs: number, workerCpuMs: number, longestMs: number, longestCpuMs: number }>>} spans between
 *   two marks `begin:name` and `end:name` of the page
 */

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'blink.user_timing', '__metadata']

/**
 * @template T
 * @param {Bench} bench @param {import('@playwright/test').Page} page @param {() => Promise<T>} run
 * @returns {Promise<{ value: T, tasks: Tasks }>}
 */
export async function traced({ browser }, page, run) {
  await browser.startTracing(page, { categories: CATEGORIES })
  const value = await run()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  return { value, tasks: tasksOf(/** @type {TraceEvent[]} */ (traceEvents)) }
}

/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args: { name?: string } }} TraceEvent */

/** @param {readonly TraceEvent[]} events @returns {Tasks} */
function tasksOf(events) {
  /** @type {Map<string, string>} */
  const threads = new Map()
  for (const { name, pid, tid, args } of events)
    if (name === 'thread_name') threads.set(`${pid}:${tid}`, args.name ?? '')
  /** @type {Map<string, { from: number, to: number }>} */
  const marks = new Map()
  const pids = new Set()
  for (const { name, ts, pid } of events) {
    const [edge, of] = name.split(':')
    if (of === undefined || (edge !== 'begin' && edge !== 'end')) continue
    pids.add(pid)
    const span = marks.get(of) ?? { from: NaN, to: NaN }
    span[edge === 'begin' ? 'from' : 'to'] = ts
    marks.set(of, span)
  }
  const tasks = events.filter(
    ({ name, ph, pid }) => name === 'RunTask' && ph === 'X' && (pids.size === 0 || pids.has(pid)),
  )
  const of = (/** @type {TraceEvent} */ { pid, tid }) => threads.get(`${pid}:${tid}`) ?? ''
  const main = tasks.filter((task) => of(task) === 'CrRendererMain')
  const worker = tasks.filter((task) => of(task) === 'DedicatedWorker thread')
  const longest = (/** @type {readonly TraceEvent[]} */ some, /** @type {'dur' | 'tdur'} */ key) =>
    some.reduce((most, task) => Math.max(most, task[key] ?? 0), 0) / 1000
  return {
    longestMs: longest(main, 'dur'),
    longestCpuMs: longest(main, 'tdur'),
    spans: Object.fromEntries(
      Array.from(marks, ([name, { from, to }]) => {
        const within = ({ ts = 0 }) => ts >= from && ts <= to
        const own = main.filter(within)
        return [
          name,
          {
            mainCpuMs: own.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000,
            workerCpuMs: worker.filter(within).reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000,
            longestMs: longest(own, 'dur'),
            longestCpuMs: longest(own, 'tdur'),
          },
        ]
      }),
    ),
  }
}
