import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { bulk, createDatabase, databasePath, json, put } from '../../../tools/ravendb/client.mjs'
import { SubscriptionClient } from '../../support/subscription-client.ts'
import { readOutline, type Outline } from '../outline.ts'
import type { Report } from '../report.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const DATABASE = 'counted'
const PATH = databasePath(DATABASE)
const STEP_MS = 60_000

/** Numbers of what is stored. No two are the same, so that none can be shown in the place of another. */
const KEPT = 10
const WRITES_OF_EACH = 3
const THINGS = 40
const DELETED = 4
const ATTACHMENTS = 7
/** Attachments with the same content, which the server stores once. */
const SAME = 3
const COUNTED = 3
const COUNTERS_OF_EACH = 5
const SERIES = 6
const COUNTED_THEN = { why: 'counted when written' }

/** Counts of a database, by what was written to it; and how far a subscription is, by its client. */
export async function auditCounts(visit: Visit, { raven: { url, studio, version }, load }: World): Promise<void> {
  const { page, report } = visit
  await load.stop()
  await createDatabase(url, DATABASE)
  await store(url)
  await page.goto(studio(`#/documents?v=1&db=${DATABASE}`))
  const collections = page.getByRole('navigation', { name: 'Collections' })
  await collections.getByRole('button', { name: /^Things/ }).waitFor({ timeout: STEP_MS })
  const shown = (await readOutline(page)).find('navigation', 'Collections')?.all('button') ?? []
  const truths = { 'All documents': KEPT + THINGS - DELETED, Kept: KEPT, Things: THINGS - DELETED }
  for (const [name, truth] of Object.entries(truths)) {
    const text = shown.find((each) => wordsOf(each).startsWith(`${name} `))
    report.claim('Documents', {
      figure: 'Documents of a collection',
      of: name,
      shown: text && wordsOf(text).slice(name.length + 1),
      truth,
      allow: COUNTED_THEN,
    })
  }
  await page.goto(studio(`#/databases?v=1&databases.open=${DATABASE}`))
  const counts = page.getByRole('region', { name: `Counts of ${DATABASE}` })
  await counts.getByRole('row', { name: /^Tombstones/ }).waitFor({ timeout: STEP_MS })
  const table = (await readOutline(page)).find('region', `Counts of ${DATABASE}`)?.table()
  for (const [kind, truth] of Object.entries({
    Revisions: KEPT * WRITES_OF_EACH,
    Attachments: ATTACHMENTS,
    // few counters of a document are one group
    'Counter groups': COUNTED,
    'Time series segments': SERIES,
    'Documents in conflict': 0,
    Tombstones: DELETED,
  }))
    report.claim('Database', {
      figure: 'Counts',
      of: kind,
      shown: table?.cell(kind, 'Number'),
      truth,
      allow: COUNTED_THEN,
    })
  if (version.startsWith('5.'))
    report.cannotCheck('Database', ['Subscription'], 'this version reports no progress of subscriptions in its list')
  else await auditSubscription(page, report, url)
}

const wordsOf = ({ name, text }: Outline): string => (name === '' ? text : name)

async function store(url: string): Promise<void> {
  const post = (path: string, body: unknown): Promise<unknown> =>
    json(url, `${PATH}${path}`, { method: 'POST', body }) as Promise<unknown>
  await post('/admin/revisions/config', { Collections: { Kept: { Disabled: false } } })
  for (let n = 0; n < WRITES_OF_EACH; n++)
    await bulk(
      url,
      DATABASE,
      Array.from({ length: KEPT }, (_, i) => put(`kept/${i}`, 'Kept', { N: n })),
    )
  await bulk(
    url,
    DATABASE,
    Array.from({ length: THINGS }, (_, i) => put(`things/${i}`, 'Things', { N: i })),
  )
  for (let i = 0; i < DELETED; i++) {
    const { status } = await fetch(`${url}${PATH}/docs?id=things/${THINGS - 1 - i}`, { method: 'DELETE' })
    if (status !== 204) throw new Error(`A deletion answered ${status}.`)
  }
  for (let i = 0; i < ATTACHMENTS; i++) {
    const body = i < SAME ? 'the same' : `the ${i}th`
    const path = `${PATH}/attachments?id=things/${i}&name=note.txt&contentType=text%2Fplain`
    const { status } = await fetch(`${url}${path}`, { method: 'PUT', body })
    if (status !== 201) throw new Error(`An attachment answered ${status}.`)
  }
  await post('/counters', {
    Documents: Array.from({ length: COUNTED }, (_, i) => ({
      DocumentId: `things/${i}`,
      Operations: Array.from({ length: COUNTERS_OF_EACH }, (_each, n) => ({
        Type: 'Increment',
        CounterName: `likes-${n}`,
        Delta: 1 + n,
      })),
    })),
  })
  for (let i = 0; i < SERIES; i++)
    await post(`/timeseries?docId=things/${i}`, {
      Name: 'Heartrate',
      Appends: Array.from({ length: 3 }, (_, n) => ({ Timestamp: new Date(1e12 + n * 1000), Values: [n] })),
    })
}

const NAME = 'mailer'
const BATCH = 10
/** Documents that are written after the last batch. */
const LATER = 17

async function auditSubscription(page: Page, report: Report, url: string): Promise<void> {
  await json(url, `${PATH}/subscriptions`, { method: 'PUT', body: { Name: NAME, Query: 'from Things' } })
  const beforeMs = Date.now()
  const client = await SubscriptionClient.connect(url, DATABASE, NAME, { MaxDocsPerBatch: BATCH })
  const connectedMs = { least: beforeMs, most: Date.now() }
  try {
    let sent = 0
    let acknowledgedMs = { least: Number.NaN, most: Number.NaN }
    while (sent < THINGS - DELETED) {
      // So that the last batch is seconds after the connection.
      await sleep(500)
      const batch = await client.batch()
      sent += batch.ids.length
      const fromMs = Date.now()
      await client.acknowledge(batch)
      acknowledgedMs = { least: fromMs, most: Date.now() }
    }
    await bulk(
      url,
      DATABASE,
      Array.from({ length: LATER }, (_, i) => put(`others/${i}`, 'Others', { N: i })),
    )
    await claimNote(page, report, {
      'client connected since': connectedMs,
      'last batch acknowledged': acknowledgedMs,
    })
    client.close()
    await connectionEnds(url)
    await claimNote(page, report, { 'no client connected, the last one': connectedMs })
  } finally {
    client.close()
  }
}

async function connectionEnds(url: string): Promise<void> {
  for (const endMs = Date.now() + STEP_MS; Date.now() < endMs; await sleep(200)) {
    const tasks = JSON.stringify(await json(url, `${PATH}/tasks`))
    if (!tasks.includes('"TaskConnectionStatus":"Active"')) return
  }
  throw new Error('The server does not notice that the client is gone.')
}

/** Checks the page’s words on the subscription, read anew. */
async function claimNote(
  page: Page,
  report: Report,
  times: Record<string, { readonly least: number; readonly most: number }>,
): Promise<void> {
  await page.reload()
  const row = page.getByRole('region', { name: `Ongoing tasks of ${DATABASE}` }).getByRole('row', { name: NAME })
  await row.getByText(/changes? of the database since/).waitFor({ timeout: STEP_MS })
  const text = await row.innerText()
  for (const [words, { least, most }] of Object.entries(times)) {
    const [, shown] = new RegExp(`${words} (\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)`).exec(text) ?? []
    const shownMs = Date.parse(`${shown?.replace(' ', 'T') ?? ''}Z`)
    // shown in whole seconds, of which the fraction is cut off
    const baseMs = Math.floor(least / 1000) * 1000
    report.claim('Database', {
      figure: `Subscription: ${words}`,
      of: NAME,
      shown: Number.isNaN(shownMs) ? undefined : `${(shownMs - baseMs) / 1000} s`,
      truth: { least: 0, most: most - baseMs },
      allow: { why: 'whole seconds since the second before, by the client' },
    })
  }
  report.claim('Database', {
    figure: 'Subscription: changes since the last one that was sent',
    of: NAME,
    shown: /([\d,]+) changes? of the database since/.exec(text)?.[1],
    truth: LATER,
    allow: COUNTED_THEN,
  })
}
