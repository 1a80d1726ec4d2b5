import type { Page } from '@playwright/test'
import type { Raven } from '../support/raven.ts'
import { auditActions } from './panels/actions.ts'
import { auditArchive } from './panels/archive.ts'
import { auditBacklog } from './panels/backlog.ts'
import { auditCounts } from './panels/counts.ts'
import { auditDatabases } from './panels/databases.ts'
import { auditErrors } from './panels/errors.ts'
import { auditEvidence } from './panels/evidence.ts'
import { auditFailingWrites } from './panels/failing-writes.ts'
import { auditFirstMinute } from './panels/first-minute.ts'
import { auditForecast } from './panels/forecast.ts'
import { auditHeldUp } from './panels/held-up.ts'
import { auditIndexing } from './panels/indexing.ts'
import { auditIo } from './panels/io.ts'
import { auditLimits } from './panels/limits.ts'
import { auditServer } from './panels/server.ts'
import { auditServers } from './panels/servers.ts'
import { auditStacks } from './panels/stacks.ts'
import { auditStorage } from './panels/storage.ts'
import { auditTriage } from './panels/triage.ts'
import { auditTroubles } from './panels/troubles.ts'
import { Report } from './report.ts'
import type { Visit } from './visit.ts'
import { HealthWatch } from './watch.ts'
import { createWorld } from './world.ts'

/** A panel that shows nothing for so long will not show it. */
const STEP_MS = 90_000
/** Least time in which no page may blame the healthy server. */
const WATCHED_MS = process.env['ROOKERY_TESTS'] === 'gate' ? 60_000 : 180_000

/** The first two put the server under load themselves, and stop it to add up what they saw. */
const PANELS = [
  ['I/O', auditIo],
  ['Indexing', auditIndexing],
  ['Databases', auditDatabases],
  ['Server', auditServer],
  ['Stacks', auditStacks],
  ['Triage', auditTriage],
  ['Distribution, heat map, Stalls, Compare', auditEvidence],
] as const

/** Parts that make the server less than healthy, or take one of their own: audited last. */
const LAST = [
  ['Bottleneck, operations, Compare of live data', auditLimits],
  ['Storage', auditStorage],
  ['Archive', auditArchive],
  ['Servers', auditServers],
  ['Actions', auditActions],
  ['Held up', auditHeldUp],
  ['Errors', auditErrors],
  ['Forecast', auditForecast],
  ['Counts', auditCounts],
  ['Backlog', auditBacklog],
  ['Failing writes', auditFailingWrites],
  ['Troubles', auditTroubles],
] as const
const FIRST = 'First minute'

export interface StoryOptions {
  readonly isWhole: boolean
  readonly say: (text: string) => void
  /** Titles of what is audited alone, without a watch on health; none: everything. */
  readonly only?: readonly string[]
}

export interface StoryResult {
  readonly report: Report
  readonly health: HealthWatch
  /** Reasons why panels were not audited to their end, as sentences. */
  readonly failures: readonly string[]
  /** Longest time that the server kept another client waiting, ms. */
  readonly slowestMs: number
}

/** Visits every panel of a server under load, about half a minute each, and Triage after each of them. */
export async function tellStory(
  page: Page,
  raven: Raven,
  { isWhole, say, only = [] }: StoryOptions,
): Promise<StoryResult> {
  const readyMs = Date.now()
  say(`RavenDB ${raven.version} runs as process ${raven.pid()}; making its databases and indexes`)
  const world = await createWorld(raven, readyMs)
  const report = new Report(isWhole)
  const health = new HealthWatch()
  const visit: Visit = { page, report, isWhole, seconds: isWhole ? 30 : 5, health }
  const failures: string[] = []
  const step = async (title: string, work: () => Promise<void>): Promise<void> => {
    const before = report.checked.length
    say(`${title}: reading its figures`)
    try {
      await work()
    } catch (error) {
      const why = String(error).split('\n')[0] ?? ''
      failures.push(`${title} could not be read to its end: ${why}`)
    }
    const checked = report.checked.slice(before)
    const wrong = checked.filter(({ isTrue }) => !isTrue)
    say(`${title}: ${checked.length} values, ${wrong.length} false`)
  }
  page.setDefaultTimeout(STEP_MS)
  const beganMs = Date.now()
  try {
    const isAudited = (title: string): boolean => only.length === 0 || only.includes(title)
    if (isWhole && isAudited(FIRST)) await step(FIRST, () => auditFirstMinute(visit, world))
    await page.goto(raven.studio())
    for (const [title, audit] of PANELS.filter(([each]) => isAudited(each))) {
      await step(title, () => audit(visit, world))
      await health.visitTriage(page)
    }
    // On a quick machine, the rest of the time is spent on Triage, which judges.
    while (only.length === 0 && Date.now() - beganMs < WATCHED_MS) {
      await page.waitForTimeout(Math.min(5000, WATCHED_MS - (Date.now() - beganMs)))
      await health.visitTriage(page)
    }
    if (!isWhole) return { report, health, failures, slowestMs: world.server.longestMs }
    for (const [title, audit] of LAST.filter(([each]) => isAudited(each))) await step(title, () => audit(visit, world))
  } finally {
    await world.load.stop()
    await Promise.all([world.kernel.stop(), world.server.stop()])
  }
  return { report, health, failures, slowestMs: world.server.longestMs }
}
