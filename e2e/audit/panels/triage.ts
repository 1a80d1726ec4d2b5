import { ageOfProcess } from '../kernel.ts'
import { claimAll, levelOf, perSecond, readFor, shareOfCpu, type LiveFigure } from '../live.ts'
import type { Outline } from '../outline.ts'
import { AUDITED_INDEXES } from '../load.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const PANEL = 'Triage'
const CPU_LAG = { leastMs: 0, mostMs: 4000 }
/** The page reads counters every ten seconds; four times slower while the machine is short of CPU. */
const RATE_LAG = { leastMs: 0, mostMs: 45_000 }
/** The server samples memory and disks so seldom, and sends what it saw some seconds later. */
const MEMORY_AGE_MS = 30_000
const DISK_AGE_MS = 120_000

const sign =
  (title: string, at: number, pattern = /.*/) =>
  (outline: Outline): string | undefined =>
    pattern.exec(outline.find('region', 'Vital signs')?.term(title)[at] ?? '')?.[0]

const busiest =
  (database: string, column: string) =>
  (outline: Outline): string | undefined =>
    outline.find('region', 'Busiest now')?.table()?.cell(database, column)

const figuresOf = ({ load, raven }: World): readonly LiveFigure[] => [
  {
    figure: 'CPU of the machine',
    is: 'mean',
    shown: sign('CPU of the machine', 0),
    truth: shareOfCpu('busy', CPU_LAG),
    allow: { absolute: 0.04, why: 'whole percents that the server cuts off, each of one second' },
  },
  {
    figure: 'CPU of the server',
    is: 'mean',
    shown: sign('CPU of the machine', 1),
    truth: shareOfCpu('process', CPU_LAG),
    allow: { absolute: 0.03, why: 'whole percents that the server cuts off, each of one second' },
  },
  {
    figure: 'Cores',
    is: 'now',
    shown: sign('CPU of the machine', 1, /\d+(?= cores?$)/),
    truth: ({ cores }) => cores,
  },
  {
    figure: 'Memory available',
    is: 'level',
    shown: sign('Memory available', 0),
    truth: levelOf('kernel', 'MemAvailable'),
    ageMs: MEMORY_AGE_MS,
    allow: { absolute: 96 * 2 ** 20, why: 'the kernel estimates it each time, and the page asks every 15 s' },
  },
  {
    figure: 'Memory of the machine',
    is: 'level',
    shown: sign('Memory available', 1, /(?<=^of )[^;]*/),
    truth: levelOf('kernel', 'MemTotal'),
    ageMs: 0,
  },
  {
    figure: 'Memory free',
    is: 'level',
    shown: sign('Memory available', 1, /(?<=; ).*(?= free)/),
    truth: levelOf('kernel', 'MemFree'),
    ageMs: MEMORY_AGE_MS,
    allow: { absolute: 96 * 2 ** 20, why: 'asked every 15 s, and other programs take and give' },
  },
  {
    figure: 'Requests',
    is: 'mean',
    shown: sign('Requests', 0),
    truth: perSecond('server', 'requests', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Writes',
    is: 'mean',
    shown: sign('Requests', 1),
    truth: perSecond('kernel', 'documents', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Free on the fullest volume',
    is: 'level',
    shown: sign('Fullest volume', 1),
    truth: levelOf('kernel', 'free'),
    ageMs: DISK_AGE_MS,
  },
  {
    figure: 'Part free on the fullest volume',
    is: 'level',
    shown: sign('Fullest volume', 0),
    truth: ({ kernel }, fromMs, toMs) => {
      const [free, capacity] = [kernel.range('free', fromMs, toMs), kernel.range('capacity', fromMs, toMs)]
      if (free === undefined || capacity === undefined) return undefined
      return { least: free.least / capacity.most, most: free.most / capacity.least }
    },
    ageMs: DISK_AGE_MS,
  },
  { figure: 'Databases loaded', is: 'text', shown: sign('Databases loaded', 0), truth: () => '2 of 3' },
  {
    figure: 'Indexes',
    is: 'now',
    shown: sign('Databases loaded', 1),
    truth: () => AUDITED_INDEXES.length,
  },
  {
    figure: 'Up',
    is: 'now',
    shown: sign('Up', 0),
    truth: async ({ readyMs }, atMs) => ({ least: atMs - readyMs, most: await ageOfProcess(raven.pid()) }),
    allow: { absolute: 2000, why: 'counts on by the second, from some moment of its start' },
  },
  { figure: 'Version', is: 'text', shown: sign('Up', 1), truth: () => `RavenDB ${raven.version}` },
  {
    figure: 'Busiest now: requests',
    of: load.database,
    is: 'mean',
    shown: busiest(load.database, 'Requests/s'),
    truth: perSecond('server', 'database.requests', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Busiest now: writes',
    of: load.database,
    is: 'mean',
    shown: busiest(load.database, 'Writes/s'),
    truth: perSecond('kernel', 'documents', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Busiest now: mapped',
    of: load.database,
    is: 'mean',
    shown: busiest(load.database, 'Mapped/s'),
    truth: perSecond('server', 'database.maps', RATE_LAG),
    allow: { relative: 0.15, why: 'batches end in bursts, and the page has other ends of its interval' },
  },
]

/** The vital signs, under load. */
export async function auditTriage(visit: Visit, world: World): Promise<void> {
  const { page, report } = visit
  world.load.start()
  await page.goto(world.raven.studio('#/triage?v=1'))
  await page.getByRole('region', { name: 'Busiest now' }).getByRole('table').waitFor()
  const readings = await readFor(visit)
  await claimAll(report, PANEL, world, readings, figuresOf(world))
  report.cannotCheck(PANEL, ['Recent mean duration'], 'a mean that the server smooths and keeps while nothing is asked')
}
