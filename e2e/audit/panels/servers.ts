import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { clockAhead } from '../../../tools/delays/compile.mjs'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../../tools/ravendb/client.mjs'
import { startRavenDb } from '../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../tools/ravendb/thrifty.mjs'
import { serveStudio } from '../../../tools/serve.mjs'
import { claimAll, levelOf, perSecond, readFor, shareOfCpu, type LiveFigure } from '../live.ts'
import type { Outline } from '../outline.ts'
import { Recorder } from '../recorder.ts'
import type { Bracket, Report } from '../report.ts'
import type { Visit } from '../visit.ts'
import { request, type World } from '../world.ts'

const PANEL = 'Servers'
const TABLE = 'Servers, worst first'
const WAIT_MS = 90_000
const CPU_LAG = { leastMs: 0, mostMs: 6000 }
const RATE_LAG = { leastMs: 0, mostMs: 45_000 }
const MEMORY_AGE_MS = 45_000
const DISK_AGE_MS = 120_000
const MEBIBYTE = 2 ** 20
/** Longer than a silence that is noticed, and shorter than the wait for a version, after which a server is away. */
const STOPPED_MS = 8000
const AHEAD_SECONDS = 95
const ERRING = 'erring'
const OF_OTHER = 'of-the-other'

const cell =
  (host: string, column: string) =>
  (outline: Outline): string | undefined =>
    outline.table(TABLE)?.cell(host, column)

/** Mean duration of requests as the server counts it, read by another client. */
const durations = (url: string): Recorder =>
  new Recorder(1000, async () => {
    const { Requests } = (await json(url, '/admin/metrics')) as { Requests: { AverageDuration: number } }
    return { averageMs: Requests.AverageDuration }
  })

const figuresOf = (host: string, listener: Recorder, watchedMs: number): readonly LiveFigure[] => [
  { figure: 'Version', is: 'text', shown: cell(host, 'Version'), truth: ({ raven }) => raven.version },
  {
    figure: 'Node',
    is: 'text',
    shown: cell(host, 'Node'),
    truth: async (world) => (await request<{ NodeTag: string }>(world, '/cluster/node-info')).NodeTag,
  },
  {
    figure: 'CPU of the machine',
    is: 'mean',
    shown: cell(host, 'CPU'),
    truth: shareOfCpu('busy', CPU_LAG),
    allow: { absolute: 0.04, why: 'whole percents that the server cuts off, each of one second' },
  },
  {
    figure: 'Memory available',
    is: 'level',
    shown: cell(host, 'Memory available'),
    truth: levelOf('kernel', 'MemAvailable'),
    ageMs: MEMORY_AGE_MS,
    allow: { absolute: 96 * MEBIBYTE, why: 'the kernel estimates it each time, and the page asks every 15 s' },
  },
  {
    figure: 'Disk free',
    is: 'level',
    shown: cell(host, 'Disk free'),
    truth: levelOf('kernel', 'free'),
    ageMs: DISK_AGE_MS,
  },
  {
    figure: 'Requests',
    is: 'mean',
    shown: cell(host, 'Requests'),
    truth: perSecond('server', 'requests', RATE_LAG),
    allow: { relative: 0.1, why: 'the page has other ends of its interval' },
  },
  {
    figure: 'Databases',
    is: 'text',
    shown: cell(host, 'Databases'),
    truth: async (world) => {
      const { Databases } = await request<{ Databases: readonly { Disabled: boolean }[] }>(world, '/databases')
      return `${String(Databases.length)}, ${String(Databases.filter(({ Disabled }) => Disabled).length)} disabled`
    },
  },
  {
    figure: 'Highest mean duration of requests',
    is: 'level',
    shown: (outline) =>
      /(?<=mean of requests ).+(?= at )/.exec(cell(host, 'Worst stall, last hour')(outline) ?? '')?.[0],
    truth: (_, __, toMs): Bracket | undefined => {
      const seen = listener.range('averageMs', watchedMs, toMs)
      const now = listener.range('averageMs', toMs, toMs)
      return seen === undefined || now === undefined ? undefined : { least: now.least, most: seen.most }
    },
    ageMs: 0,
    allow: { relative: 0.3, why: 'a moving mean, which both read at other moments' },
  },
]

/** Servers side by side: one under load, by two of its addresses, and one whose clock is ahead. */
export async function auditServers(visit: Visit, world: World): Promise<void> {
  const { raven } = world
  const folder = await mkdtemp(join(tmpdir(), 'rookery-audited-'))
  try {
    const ahead = await clockAhead(folder, AHEAD_SECONDS)
    const other = await startRavenDb({ version: raven.version, env: { ...THRIFTY, ...ahead } })
    try {
      await auditBeside(visit, world, other.url, ahead !== null)
    } finally {
      await other.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** `isAhead`: whether the clock of the other server is. */
async function auditBeside(
  { page: first, report, seconds, health, isWhole }: Visit,
  world: World,
  otherUrl: string,
  isAhead: boolean,
): Promise<void> {
  const { raven, load } = world
  const again = new URL(raven.url)
  again.hostname = 'localhost'
  const servers = [raven.url, again.origin, otherUrl].map((target) => ({ target }))
  const served = await serveStudio({ dist: resolve(import.meta.dirname, '../../../dist'), servers })
  const listener = durations(raven.url)
  let page: Page | null = null
  try {
    page = await first.context().newPage()
    page.setDefaultTimeout(WAIT_MS)
    await createDatabase(otherUrl, OF_OTHER)
    load.start()
    listener.start()
    const watchedMs = Date.now()
    const studio = `${served.url}/servers/${new URL(raven.url).host}/studio/index.html`
    await page.goto(served.page())
    await page.goto(`${studio}#/servers`)
    const row = page.getByRole('table', { name: TABLE }).getByRole('row').filter({ hasText: again.host })
    await row.getByText(/mean of requests/).waitFor()
    const readings = await readFor({ page, report, isWhole, seconds, health })
    await claimAll(report, PANEL, world, readings, figuresOf(again.host, listener, watchedMs))
    await claimFindings(page, report, world, again.host)
    await claimStall(page, report, world, again.host)
    if (isAhead) await claimClock(page, report, `${studio}#/timeline?v=2&s=server&clock=utc`, otherUrl)
    report.cannotCheck(PANEL, ['Line of the last hour'], 'a drawing of the figure that is beside it')
  } finally {
    await load.stop()
    await listener.stop().catch(() => undefined)
    await page?.close()
    await served.close()
  }
}

/** Findings of the server are about the databases in which another client sees an index in error. */
async function claimFindings(page: Page, report: Report, world: World, host: string): Promise<void> {
  const { raven } = world
  await createDatabase(raven.url, ERRING)
  try {
    const broken = { Name: 'Broken', Maps: ['from t in docs.Things select new { X = 1 / (t.N - t.N) }'] }
    await putIndexes(raven.url, ERRING, [broken])
    const documents = Array.from({ length: 300 }, (_, i) => put(`things/${String(i)}`, 'Things', { N: i }))
    await bulk(raven.url, ERRING, documents)
    const findings = page.getByRole('table', { name: 'Findings of all servers, worst first' })
    const ofHost = findings.getByRole('row').filter({ hasText: host })
    await ofHost.filter({ hasText: ERRING }).first().waitFor()
    const erred = await databasesInError(world)
    const shown = (await ofHost.allInnerTexts()).flatMap(
      (text) => /of “([^”]+)” stopped with errors/.exec(text)?.[1] ?? [],
    )
    report.claim(PANEL, {
      figure: 'Databases with an index in error, among the findings',
      shown: [...new Set(shown)].toSorted().join(', '),
      truth: erred.toSorted().join(', '),
    })
  } finally {
    await deleteDatabase(raven.url, ERRING)
  }
}

async function databasesInError(world: World): Promise<string[]> {
  const { Databases } = await request<{ Databases: readonly { Name: string; Disabled: boolean }[] }>(
    world,
    '/databases',
  )
  const erred: string[] = []
  for (const { Name, Disabled } of Databases) {
    if (Disabled) continue
    const { Results: all } = await request<{ Results: { State: string }[] }>(
      world,
      `${databasePath(Name)}/indexes/stats`,
    )
    if (all.some(({ State }) => State === 'Error')) erred.push(Name)
  }
  return erred
}

/** Worst stall of a server that was stopped for so long. */
async function claimStall(page: Page, report: Report, { raven }: World, host: string): Promise<void> {
  const row = page.getByRole('table', { name: TABLE }).getByRole('row').filter({ hasText: host })
  const fromMs = Date.now()
  process.kill(raven.pid(), 'SIGSTOP')
  await sleep(STOPPED_MS)
  process.kill(raven.pid(), 'SIGCONT')
  const stoppedMs = Date.now() - fromMs
  const words = row.getByText(/^unresponsive for/)
  await words.waitFor()
  report.claim(PANEL, {
    figure: 'Worst stall of a server that was stopped',
    shown: /(?<=unresponsive for ).+(?= at )/.exec(await words.innerText())?.[0],
    truth: { least: stoppedMs, most: stoppedMs },
    allow: { absolute: 4000, why: 'from the last answer before it to the first after it' },
  })
}

/** Difference between the clocks of two servers, which their responses show to another client to the second. */
async function claimClock(page: Page, report: Report, timeline: string, url: string): Promise<void> {
  const name = new URL(url).host
  await page.goto(timeline)
  await page.getByRole('button', { name: 'Add lane' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add lane' })
  await dialog.getByLabel('Server', { exact: true }).selectOption(name)
  await dialog.getByRole('searchbox', { name: 'Find a lane' }).fill('journal')
  await dialog.getByRole('button', { name: `Journal writes of ${OF_OTHER} on ${name}` }).click()
  const sentence = page.getByRole('region', { name: 'Clocks of the lanes' }).getByText(/ahead of/)
  await sentence.waitFor()
  const beforeMs = Date.now()
  const { headers } = await fetch(`${url}/build/version`)
  const afterMs = Date.now()
  const dateMs = Date.parse(headers.get('date') ?? '')
  report.claim('Timeline', {
    figure: 'Difference between the clocks of two servers',
    shown: /(?<= is ).+(?= ahead of)/.exec(await sentence.innerText())?.[0],
    truth: { least: dateMs - afterMs, most: dateMs + 1000 - beforeMs },
    allow: { absolute: 1000, why: 'the header has whole seconds, and is written once a second' },
  })
}
