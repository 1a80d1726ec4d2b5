import { cpuOfThreads } from '../kernel.ts'
import { claimAll, readFor, type LiveFigure } from '../live.ts'
import type { Outline } from '../outline.ts'
import type { Bracket } from '../report.ts'
import { Recorder } from '../recorder.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const PANEL = 'Stacks'
const TICK = 'and one tick of 10 ms is 0.5 % of two cores'
/** A list of threads comes every few seconds. */
const LIST_AGE_MS = 20_000
/** Over how long the server measures what a thread uses. */
const SAMPLE_MS = 3000
const LAG = { leastMs: 0, mostMs: 6000 }
/** Range of the live view, ms. */
const VIEW_MS = 60_000
const IDLE_STRETCH_MS = 5000

const cell =
  (id: number, column: string) =>
  (outline: Outline): string | undefined => {
    const table = outline.table('Threads')
    const at = table?.columns.indexOf(column) ?? -1
    return table?.rows.find((cells) => cells.at(-1) === String(id))?.[at]
  }

/** Moment of the live threads shown, where they are paused; the page shows it as a time of today, in UTC. */
function asOf(outline: Outline): number | undefined {
  const texts = outline.all('status').map(({ text }) => text)
  const time = texts.map((text) => /threads shown are those of (\d\d:\d\d:\d\d)/.exec(text)?.[1]).find(Boolean)
  return time === undefined ? undefined : Date.parse(`${new Date().toISOString().slice(0, 10)}T${time}Z`)
}

/** The threads of the server under load: how many, and what CPU each took. */
export async function auditStacks(visit: Visit, world: World): Promise<void> {
  const { page, report } = visit
  world.load.start()
  const { raven, cores } = world
  const pid = raven.pid()
  const threads = new Recorder(1000, async () => {
    const times = await cpuOfThreads(pid)
    return {
      threads: times.size,
      ...Object.fromEntries(
        [...times].flatMap(([id, { user, kernel }]) => [
          [`${id}.user`, user],
          [`${id}.kernel`, kernel],
          [`${id}.all`, user + kernel],
        ]),
      ),
    }
  })
  threads.start()
  try {
    await page.goto(raven.studio('#/stacks?v=1&s=server'))
    await page.getByRole('table', { name: 'Threads' }).waitFor()
    await page
      .getByRole('table', { name: 'Threads' })
      .getByRole('row')
      .filter({ hasText: 'Indexing of' })
      .first()
      .waitFor()
    const readings = await readFor(visit)
    const last = readings.at(-1)
    const figures: LiveFigure[] = [
      {
        figure: 'Threads',
        is: 'level',
        shown: (outline) =>
          outline
            .all('status')
            .map(({ text }) => /([\d,]+) threads? in/.exec(text)?.[1])
            .find(Boolean),
        truth: (_, fromMs, toMs) => threads.range('threads', fromMs, toMs),
        ageMs: LIST_AGE_MS,
        asOf,
      },
    ]
    const rows = last?.outline.table('Threads')?.rows ?? []
    for (const row of rows.filter((cells) => cells.some((text) => /^Indexing of|TxMT$/.test(text))).slice(0, 5)) {
      const id = Number(row.at(-1))
      const of = row.at(-2) ?? ''
      for (const [column, key] of [
        ['User', 'user'],
        ['Kernel', 'kernel'],
      ] as const)
        figures.push({
          figure: `${column} time of a thread`,
          of,
          is: 'level',
          shown: cell(id, column),
          truth: (_, fromMs, toMs) => threads.range(`${id}.${key}`, fromMs, toMs),
          ageMs: LIST_AGE_MS,
          asOf,
          allow: { absolute: 10, why: 'one tick of the kernel’s clock' },
        })
      // ms a second of all cores
      const part = (rate: Bracket | undefined) =>
        rate && { least: rate.least / 1000 / cores, most: rate.most / 1000 / cores }
      const cpu = { figure: 'CPU of a thread', of, shown: cell(id, 'CPU') }
      figures.push(
        last !== undefined && asOf(last.outline) === undefined
          ? {
              ...cpu,
              is: 'mean',
              truth: (_, fromMs, toMs) => part(threads.rate(`${id}.all`, fromMs, toMs, LAG)),
              allow: { absolute: 0.01, relative: 0.15, why: `samples of a second or a few, ${TICK}` },
            }
          : {
              ...cpu,
              isOfMoment: true,
              is: 'level',
              truth: (_, fromMs, toMs) => part(threads.ratesOver(SAMPLE_MS, `${id}.all`, fromMs - SAMPLE_MS, toMs)),
              ageMs: LIST_AGE_MS,
              asOf,
              allow: { absolute: 0.01, why: `one sample, ${TICK}` },
            },
      )
    }
    figures.push({
      figure: 'Idle',
      isOfMoment: true,
      is: 'level',
      shown: (outline) => outline.table('CPU of the machine in this range')?.cell('Idle', 'mean'),
      truth: ({ kernel }, _, toMs) => {
        const busy = kernel.rate('busy', toMs - IDLE_STRETCH_MS, toMs, { leastMs: 0, mostMs: VIEW_MS }, 'all')
        return busy && { least: 1 - busy.most, most: 1 - busy.least }
      },
      ageMs: LIST_AGE_MS,
      asOf,
      allow: { absolute: 0.04, why: 'a mean of the minute in view: between its least and its most busy seconds' },
    })
    await claimAll(report, PANEL, world, readings, figures)
    report.cannotCheck(PANEL, ['Waits for', 'Stack of a thread'], 'known to the runtime of the server alone')
  } finally {
    await threads.stop()
  }
}
