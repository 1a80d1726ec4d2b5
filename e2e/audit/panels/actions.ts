import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { bulk, createDatabase, databasePath, json, put, putIndexes } from '../../../tools/ravendb/client.mjs'
import { activity, actOn, BY_N, confirm, notice } from '../../support/actions.ts'
import { IndependentBatches } from '../../support/independent-batches.ts'
import { openDoneHere, openPanel } from '../../support/panels.ts'
import { filesOf } from '../kernel.ts'
import type { Bracket, Report } from '../report.ts'
import type { Visit } from '../visit.ts'
import { folderOf, type World } from '../world.ts'

const DATABASE = 'acted'
const PATH = databasePath(DATABASE)
const WRITE_EVERY_MS = 200
/** Times of indexing before the pause, and of the pause after it was reported. */
const BEFORE_MS = 20_000
const PAUSED_MS = 20_000
/** A finding, or the end of an action, that is not shown for so long will not be. */
const STEP_MS = 90_000
/** Time after which an end may be known: what runs is read every few seconds. */
const REQUESTED_MS = 10_000
/** From when on a panel that is open has every batch, ms. */
const RECORDED_MS = 10_000
/** Documents that compaction gives back. */
const DELETED = 20_000
const BATCH = 1000

/** Audits what Activity and Triage say of actions whose time and effect another client knows. */
export async function auditActions(visit: Visit, world: World): Promise<void> {
  await world.load.stop()
  await createDatabase(world.raven.url, DATABASE)
  await putIndexes(world.raven.url, DATABASE, [BY_N])
  await auditPause(visit, world)
  await auditCompaction(visit, world)
}

/** Some documents a second; resolves with its end. */
function keepWriting(url: string): () => Promise<void> {
  const over = new AbortController()
  const run = async (): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n++) {
      await bulk(url, DATABASE, [put(`things/${n}`, 'Things', { N: n })])
      await sleep(WRITE_EVERY_MS)
    }
  }
  const running = run()
  return async () => {
    over.abort()
    await running
  }
}

/** Resolves with when another client first saw this status. */
async function untilStatus(url: string, wanted: string): Promise<number> {
  for (const endMs = Date.now() + STEP_MS; Date.now() < endMs; await sleep(50)) {
    const { Results: all } = (await json(url, `${PATH}/indexes/stats`)) as {
      Results: { Name: string; Status: string }[]
    }
    if (all.some(({ Name, Status }) => Name === BY_N.Name && Status === wanted)) return Date.now()
  }
  throw new Error(`The index did not become ${wanted}.`)
}

/** An index is paused for a while, from the page. */
async function auditPause({ page, report }: Visit, { raven }: World): Promise<void> {
  const stop = keepWriting(raven.url)
  const listener = new IndependentBatches(raven.url, DATABASE)
  try {
    await listener.opened()
    await page.goto(raven.studio(`#/indexing?v=2&s=db:${DATABASE}&indexing.view=indexes&clock=utc`))
    await page
      .getByRole('table', { name: `Indexes of ${DATABASE}` })
      .getByText(BY_N.Name)
      .waitFor()
    const recordedMs = Date.now() + RECORDED_MS
    await sleep(BEFORE_MS)
    const clickedMs = Date.now()
    await actOn(page, `“${BY_N.Name}” of “${DATABASE}”`, 'Pause indexing')
    const pausedMs = await untilStatus(raven.url, 'Paused')
    await notice(page).getByText(`Done · Paused: “${BY_N.Name}”`).waitFor({ timeout: STEP_MS })
    const shownMs = Date.now()
    await openPanel(page, 'Triage')
    const title = `The index “${BY_N.Name}” of “${DATABASE}” does not run`
    const finding = page
      .getByRole('region', { name: 'Triage' })
      .getByRole('listitem')
      .filter({ hasText: title })
      .first()
    await finding.waitFor({ timeout: STEP_MS })
    const foundMs = Date.now()
    const stopped = finding.getByRole('list', { name: 'Stopped from this browser' })
    await stopped.waitFor({ timeout: STEP_MS })
    claimMoment(report, {
      figure: 'Paused from this browser at: after the click',
      text: await stopped.innerText(),
      afterMs: clickedMs,
      mostMs: shownMs,
    })
    await sleep(PAUSED_MS)
    const resumingMs = Date.now()
    await stopped.getByRole('button', { name: 'Resume indexing' }).click()
    const resumedMs = await untilStatus(raven.url, 'Running')
    await claimOver(page, report, title, { pausedMs, foundMs, resumedMs })
    // While it is written to, batches never cease.
    await stop()
    await listener.settled()
    await claimEffect(page, report, listener, { recordedMs, clickedMs, pausedMs, resumingMs })
  } finally {
    listener.close()
    await stop()
  }
}

/** Claims a time of day (UTC, whole seconds) that the page shows by how long it is after another moment. */
function claimMoment(
  report: Report,
  { figure, text, afterMs, mostMs }: { figure: string; text: string; afterMs: number; mostMs: number },
): void {
  const fullMs = Math.floor(afterMs / 1000) * 1000
  const [time] = /\d\d:\d\d:\d\d/.exec(text) ?? []
  const atMs = Date.parse(`${new Date(fullMs).toISOString().slice(0, 11)}${time ?? ''}Z`)
  report.claim('Triage', {
    figure,
    shown: Number.isNaN(atMs) ? undefined : `${String((atMs - fullMs) / 1000)} s`,
    truth: { least: 0, most: mostMs - fullMs },
  })
}

interface Seen {
  readonly pausedMs: number
  /** When the finding was shown. */
  readonly foundMs: number
  readonly resumedMs: number
}

/** Claims what is said of an index that did not run, once that is over: for how long, or since when the page knew it. */
async function claimOver(
  page: Page,
  report: Report,
  title: string,
  { pausedMs, foundMs, resumedMs }: Seen,
): Promise<void> {
  const happened = page.getByRole('region', { name: 'What happened' }).getByRole('listitem').filter({ hasText: title })
  await happened.first().waitFor({ timeout: STEP_MS })
  const text = await happened.first().innerText()
  const [known] = /was so at \d\d:\d\d:\d\d already/.exec(text) ?? []
  if (known !== undefined)
    return claimMoment(report, {
      figure: 'An index did not run: known since, after the pause',
      text: known,
      afterMs: pausedMs,
      mostMs: foundMs,
    })
  const [, least, most = least] =
    /· for (\d+ (?:seconds?|min(?: \d+ s)?))(?: to (\d+ (?:seconds?|min(?: \d+ s)?)))?/.exec(text) ?? []
  const inUnits = (words: string | undefined): string | undefined => words?.replace(/ seconds?$/, ' s')
  const allow = { absolute: 1000, why: 'whole seconds' }
  report.claim('Triage', {
    figure: 'An index did not run: at least',
    shown: inUnits(least),
    truth: { least: 0, most: resumedMs - pausedMs },
    allow,
  })
  report.claim('Triage', {
    figure: 'An index did not run: at most',
    shown: inUnits(most),
    truth: { least: resumedMs - foundMs, most: resumedMs - pausedMs + REQUESTED_MS },
    allow,
  })
}

interface Pause {
  /** From when on the page has every batch. */
  readonly recordedMs: number
  readonly clickedMs: number
  readonly pausedMs: number
  readonly resumingMs: number
}

const entryOf = (page: Page, words: string): Locator =>
  activity(page).getByRole('listitem').filter({ hasText: words }).first()

/** Batches before the click, and none until it is resumed. */
async function claimEffect(
  page: Page,
  report: Report,
  { completed }: IndependentBatches,
  { recordedMs, clickedMs, pausedMs, resumingMs }: Pause,
): Promise<void> {
  await openDoneHere(page)
  const effect = entryOf(page, `Paused: “${BY_N.Name}”`).getByRole('group', { name: 'Effect' })
  await effect.getByText(/^No batch/).waitFor({ timeout: STEP_MS })
  const text = await effect.innerText()
  const ends = completed
    .filter(({ index, batch }) => index === BY_N.Name && batch.InputCount > 0)
    .map(({ batch }) => Date.parse(batch.Completed ?? ''))
  const within = (fromMs: number, toMs: number): number => ends.filter((ms) => ms >= fromMs && ms < toMs).length
  const [, before] = /Before\s+([\d,]+) batch/.exec(text) ?? []
  const isPartial = /Before[^\n]*\n?[^\n]*recorded in part/.test(text)
  const [, after, length] = /After\s+([\d,]+) batch(?:es)? in ([\d.]+ (?:s|min(?: \d+ s)?))/.exec(text) ?? []
  report.claim('Activity', {
    figure: 'Effect of a pause: batches before',
    shown: before,
    // Batches that the ring of the server had no more are missing, which the page says.
    truth: { least: isPartial ? 0 : within(recordedMs, clickedMs) - 2, most: within(0, pausedMs) },
    allow: { why: 'a batch that ended as it was clicked is on one side' },
  })
  report.claim('Activity', {
    figure: 'Effect of a pause: batches after',
    shown: after,
    truth: within(pausedMs + 1000, resumingMs),
    allow: { why: 'counted by a listener of its own' },
  })
  report.claim('Activity', {
    figure: 'Effect of a pause: time after it',
    shown: length,
    truth: { least: 5000, most: resumingMs - clickedMs },
    allow: { why: 'ends before the next action' },
  })
}

/** A database whose documents were deleted is compacted, from the page. */
async function auditCompaction({ page, report }: Visit, { raven }: World): Promise<void> {
  for (let first = 0; first < DELETED; first += BATCH)
    await bulk(
      raven.url,
      DATABASE,
      Array.from({ length: BATCH }, (_, i) =>
        put(`blobs/${first + i}`, 'Blobs', { Text: 'x'.repeat(900) + String(i) }),
      ),
    )
  for (let first = 0; first < DELETED; first += BATCH)
    await bulk(
      raven.url,
      DATABASE,
      Array.from({ length: BATCH }, (_, i) => ({ Type: 'DELETE', Id: `blobs/${first + i}`, ChangeVector: null })),
    )
  await page.goto(raven.studio('#/databases?v=2'))
  const before = new Sizes(folderOf(raven, DATABASE))
  await actOn(page, `“${DATABASE}”`, 'Compact …')
  // On a busy machine the sizes are read seconds after the click: right before the request.
  const sent = page.waitForRequest((request) => request.url().endsWith('/admin/compact'), { timeout: STEP_MS })
  await confirm(page, 'Compact')
  await sent
  const whileBefore = await before.range(0)
  const after = new Sizes(folderOf(raven, DATABASE))
  await notice(page)
    .getByText(/Compacted/)
    .first()
    .waitFor({ timeout: STEP_MS })
  // Its end is read a moment before it is shown, and its figures right after.
  const doneMs = Date.now() - 1000
  await openDoneHere(page)
  const effect = entryOf(page, `Compacted: “${DATABASE}”`).getByRole('group', { name: 'Effect' })
  await effect.getByText('On disk').waitFor({ timeout: STEP_MS })
  const whileAfter = await after.range(doneMs)
  const [, from, to] = /On disk\s+([\d.,]+ \w+) → ([\d.,]+ \w+)/.exec(await effect.innerText()) ?? []
  const allow = { relative: 0.05, absolute: 2 ** 20, why: 'the server counts what is not flushed yet' }
  report.claim('Activity', { figure: 'Compaction: on disk before', shown: from, truth: whileBefore, allow })
  report.claim('Activity', { figure: 'Compaction: on disk after', shown: to, truth: whileAfter, allow })
}

/** Sizes of the files of a database, read again and again. */
class Sizes {
  readonly #over = new AbortController()
  readonly #read: Promise<{ atMs: number; bytes: number }[]>

  constructor(folder: string) {
    this.#read = this.#keepReading(folder)
  }

  async #keepReading(folder: string): Promise<{ atMs: number; bytes: number }[]> {
    const all: { atMs: number; bytes: number }[] = []
    do {
      // A compaction puts another folder in its place.
      const files = await filesOf(folder).catch(() => null)
      if (files !== null) all.push({ atMs: Date.now(), bytes: files.data + files.buffers + files.recyclable })
      await sleep(100)
    } while (!this.#over.signal.aborted)
    return all
  }

  /** Stops to read. */
  async range(sinceMs: number): Promise<Bracket> {
    this.#over.abort()
    const all = (await this.#read).flatMap(({ atMs, bytes }) => (atMs >= sinceMs ? [bytes] : []))
    return { least: Math.min(...all), most: Math.max(...all) }
  }
}
