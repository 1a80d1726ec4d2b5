import { ageOfProcess } from '../kernel.ts'
import { claimAll, levelOf, perSecond, readFor, shareOfCpu, type LiveFigure } from '../live.ts'
import type { Outline } from '../outline.ts'
import { EXACT, type Bracket, type Tolerance } from '../report.ts'
import type { Visit } from '../visit.ts'
import { request, type World } from '../world.ts'

const PANEL = 'Server'
/** Range of the view, long enough to include gaps of all panels before. */
const FIVE_MINUTES_TICKS = 3_000_000_000
const CPU_LAG = { leastMs: 0, mostMs: 4000 }
/** The page reads counters every ten seconds; four times slower while the machine is short of CPU. */
const RATE_LAG = { leastMs: 0, mostMs: 45_000 }
const DISK_LAG = { leastMs: 0, mostMs: 8000 }
const DISK_AGE_MS = 120_000
const MEMORY_AGE_MS = 30_000
/** Figures that need a walk of page tables are read once a minute at most. */
const PAGES_AGE_MS = 80_000

/** Newest figure of a lane. */
const lane =
  (title: string) =>
  (outline: Outline): string | undefined => {
    const items = outline.find('group', 'Lanes')?.all('listitem') ?? []
    return items
      .map(({ text }) => text)
      .find((text) => text.startsWith(`${title} `))
      ?.slice(title.length + 1)
  }

const fact =
  (pattern: RegExp) =>
  (outline: Outline): string | undefined =>
    outline
      .find('region', 'Vitals')
      ?.all('paragraph')
      .map(({ text }) => pattern.exec(text)?.[0])
      .find((text) => text !== undefined)

const memory =
  (title: string, at = 0) =>
  (outline: Outline): string | undefined =>
    outline.find('region', 'Memory')?.term(title)[at]

const volume =
  (title: string, at: number) =>
  (outline: Outline): string | undefined =>
    outline.find('region', 'Volumes')?.term(title)[at]

const MEBIBYTE = 2 ** 20
const GROWS: Tolerance = { absolute: 24 * MEBIBYTE, why: 'it is asked every 15 s, and changes between' }
const ESTIMATED: Tolerance = {
  absolute: 96 * MEBIBYTE,
  why: 'the kernel estimates it each time, and the page asks every 15 s',
}

/** A sum of the kernel's figures at one sample. */
const kernelSum =
  (add: readonly string[], subtract: readonly string[] = []) =>
  ({ kernel }: World, fromMs: number, toMs: number): Bracket | undefined =>
    kernel.combined(
      (values) =>
        add.reduce((sum, key) => sum + (values[key] ?? Number.NaN), 0) -
        subtract.reduce((sum, key) => sum + (values[key] ?? Number.NaN), 0),
      fromMs,
      toMs,
    )

/** Parts of the memory by the kernel; versions 5.4 to 7.1 pass them on. */
const MEMORY: readonly LiveFigure[] = [
  ...(
    [
      ['Private memory', 'Private', ['RssAnon', 'RssShmem'], GROWS],
      ['Memory available', 'Available', ['MemAvailable'], ESTIMATED],
      ['Memory free', 'Free', ['MemFree'], ESTIMATED],
      ['Resident memory', 'Resident', ['VmRSS'], GROWS],
      ['File pages', 'File pages', ['RssFile'], GROWS],
      ['Physical memory', 'Physical', ['MemTotal'], EXACT],
      ['Compiled code', 'Compiled code', ['RssShmem'], GROWS],
    ] as const
  ).map(([figure, term, keys, allow]): LiveFigure => ({
    figure,
    is: 'level',
    shown: memory(term),
    truth: kernelSum(keys),
    ageMs: MEMORY_AGE_MS,
    allow,
  })),
  {
    figure: 'Clean file pages',
    is: 'level',
    shown: memory('Files, clean'),
    truth: kernelSum(['clean']),
    ageMs: PAGES_AGE_MS,
    allow: GROWS,
  },
  {
    figure: 'Dirty file pages',
    is: 'level',
    shown: memory('Files, dirty'),
    truth: kernelSum(['dirty'], ['RssAnon', 'RssShmem']),
    ageMs: PAGES_AGE_MS,
    allow: GROWS,
  },
  {
    figure: 'Memory of others and the system',
    isOfMoment: true,
    is: 'level',
    shown: memory('Others and the system'),
    truth: kernelSum(['MemTotal', 'RssAnon', 'RssShmem'], ['MemAvailable', 'RssAnon', 'RssShmem', 'dirty']),
    ageMs: PAGES_AGE_MS,
    allow: ESTIMATED,
  },
  {
    figure: 'Low-memory limit',
    is: 'level',
    shown: (outline) => /(?<=Low-memory limit )\S+ \wiB/.exec(outline.find('region', 'Memory')?.text ?? '')?.[0],
    truth: ({ kernel }, fromMs, toMs) =>
      kernel.combined(({ MemTotal = Number.NaN }) => Math.min(2048 * MEBIBYTE, 0.1 * MemTotal), fromMs, toMs),
    ageMs: 0,
  },
]

const figuresOf = ({ raven }: World): readonly LiveFigure[] => [
  ...MEMORY,
  { figure: 'Version', is: 'text', shown: fact(/RavenDB [\d.]+/), truth: () => `RavenDB ${raven.version}` },
  {
    figure: 'Node',
    is: 'text',
    shown: fact(/node \w+/),
    truth: async (world) => `node ${(await request<{ NodeTag: string }>(world, '/cluster/node-info')).NodeTag}`,
  },
  {
    figure: 'Up',
    is: 'now',
    shown: fact(/(?<=up )[^,]+/),
    truth: async ({ readyMs }, atMs) => ({ least: atMs - readyMs, most: await ageOfProcess(raven.pid()) }),
    allow: { absolute: 2000, why: 'counts on by the second, from some moment of its start' },
  },
  {
    figure: 'Databases loaded',
    is: 'text',
    shown: fact(/\d+ of \d+ databases? loaded/),
    truth: () => '2 of 3 databases loaded',
  },
  {
    figure: 'CPU of the machine',
    is: 'mean',
    shown: lane('Machine'),
    truth: shareOfCpu('busy', CPU_LAG),
    allow: { absolute: 0.04, why: 'whole percents that the server cuts off, each of one second' },
  },
  {
    figure: 'CPU of the server',
    is: 'mean',
    shown: lane('Server'),
    truth: shareOfCpu('process', CPU_LAG),
    allow: { absolute: 0.03, why: 'whole percents that the server cuts off, each of one second' },
  },
  {
    figure: 'Requests',
    is: 'mean',
    shown: lane('Requests'),
    truth: perSecond('server', 'requests', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Writes',
    is: 'mean',
    shown: lane('Writes, about'),
    truth: perSecond('kernel', 'documents', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Resident memory over time',
    is: 'level',
    shown: lane('Resident'),
    truth: levelOf('kernel', 'VmRSS'),
    ageMs: MEMORY_AGE_MS,
    allow: { absolute: 16 * 2 ** 20, why: 'it changes between two samples' },
  },
  ...(
    [
      ['Indexed', 'database.indexed'],
      ['Mapped', 'database.mapped'],
      ['Reduced', 'database.reduced'],
    ] as const
  ).map(([title, key]): LiveFigure => ({
    figure: title,
    is: 'mean',
    shown: lane(`${title}, about`),
    truth: perSecond('server', key, RATE_LAG),
    allow: { relative: 0.15, why: 'batches end in bursts, and the page has other ends of its interval' },
  })),
  ...(
    [
      ['RavenDB data, journals in use', levelOf('server', 'all.data')],
      ['RavenDB temp, spare journals', levelOf('server', 'all.temp')],
      ['Free', levelOf('kernel', 'free')],
      ['Capacity', levelOf('kernel', 'capacity')],
      [
        'Used by others, reserved, flushed journals',
        ({ kernel, server }, fromMs, toMs) => {
          const [free, capacity] = [kernel.range('free', fromMs, toMs), kernel.range('capacity', fromMs, toMs)]
          const [data, temp] = [server.range('all.data', fromMs, toMs), server.range('all.temp', fromMs, toMs)]
          if (free === undefined || capacity === undefined || data === undefined || temp === undefined) return undefined
          return {
            least: capacity.least - free.most - data.most - temp.most,
            most: capacity.most - free.least - data.least - temp.least,
          }
        },
      ],
    ] satisfies [string, Extract<LiveFigure, { is: 'level' }>['truth']][]
  ).map(([title, truth]): LiveFigure => ({
    figure: `Volume: ${title}`,
    is: 'level',
    shown: volume(title, 0),
    truth,
    ageMs: DISK_AGE_MS,
    allow: { relative: 0.05, why: 'files grow and shrink between two readings' },
  })),
  {
    figure: 'Volume: writes',
    is: 'mean',
    shown: volume('Write', 1),
    truth: perSecond('kernel', 'writes', DISK_LAG),
    allow: {
      relative: 0.25,
      why: 'the server samples every three to four seconds, and the page was read every second',
    },
  },
  {
    figure: 'Volume: written',
    is: 'mean',
    shown: volume('Write', 0),
    truth: perSecond('kernel', 'writeBytes', DISK_LAG),
    allow: { relative: 0.35, why: 'bursts, and the server samples every three to four seconds' },
  },
]

/** The machine, under load. */
export async function auditServer(visit: Visit, world: World): Promise<void> {
  const { page, report, health, isWhole } = visit
  world.load.start()
  await page.goto(world.raven.studio(`#/server?v=1&s=server&live=${FIVE_MINUTES_TICKS}`))
  await page.getByRole('region', { name: 'Volumes' }).waitFor()
  await page.getByText('Which file pages are clean').click()
  const readings = await readFor(visit)
  await health.sweepChart(page, isWhole ? 24 : 8)
  await claimAll(report, PANEL, world, readings, figuresOf(world))
  report.cannotCheck(
    PANEL,
    ['Garbage collection', 'Managed memory', 'Unmanaged memory', 'Transaction merger', 'Low-memory events'],
    'the runtime of the server alone knows them',
  )
  report.cannotCheck(PANEL, ['Queue of a volume'], 'requests under way at the instant at which the server looked')
}
