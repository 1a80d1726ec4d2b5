import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { bulk, createDatabase, databasePath, put } from '../../../tools/ravendb/client.mjs'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const DATABASE = 'failing'
const PATH = databasePath(DATABASE)
const STEP_MS = 60_000
/** Below the rate up to which the page listens to all requests. */
const EVERY_MS = 800
/** Time for which a write is kept in mind by the page. */
const LATELY_MS = 60_000
/** A write of these fails, and the last one does not. */
const FAILS_OF = 3
const WRITES = 31

/** Resolves once Triage has judged writes: it lists what it could not judge. */
async function isListenedTo(page: Page): Promise<void> {
  const main = page.getByRole('region', { name: 'Triage' })
  const isKnown = async (): Promise<boolean> => {
    const text = (await main.textContent()) ?? ''
    return /by \d+ (?:of \d+ )?checks|\d+ checks? /.test(text) && !text.includes('requests are not listened to')
  }
  for (const endMs = Date.now() + STEP_MS; Date.now() < endMs; await sleep(1000)) if (await isKnown()) return
  throw new Error('Triage never listened to requests.')
}

/** Writes of which a known part fails: how many of how many, with which status and why. */
export async function auditFailingWrites({ page, report }: Visit, { raven, load }: World): Promise<void> {
  const { url, studio } = raven
  await load.stop()
  await createDatabase(url, DATABASE)
  await bulk(url, DATABASE, [put('things/1', 'Things', { N: 1 })])
  // A page that is open already has seen the write above.
  await page.goto('about:blank')
  await page.goto(studio('#/triage?v=2'))
  await page.getByRole('region', { name: 'Vital signs' }).waitFor({ timeout: STEP_MS })
  await isListenedTo(page)
  const answers: { status: number; atMs: number }[] = []
  const patch = async (script: string): Promise<void> => {
    const response = await fetch(`${url}${PATH}/docs?id=things/1`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ Patch: { Script: script, Values: {} } }),
    })
    await response.arrayBuffer()
    answers.push({ status: response.status, atMs: Date.now() })
  }
  for (let n = 0; n < WRITES; n++) {
    await patch(n % FAILS_OF === 1 ? 'throw new Error("audited")' : 'this.N++')
    await sleep(EVERY_MS)
  }
  const finding = page
    .getByRole('listitem')
    .filter({ hasText: `to “${DATABASE}” failed` })
    .first()
  const failed = answers.filter(({ status }) => status >= 500)
  const all = `${failed.length} of ${answers.length} writes`
  await finding
    .filter({ hasText: all })
    .waitFor({ timeout: 20_000 })
    .catch(() => undefined)
  const text = await finding.innerText()
  const readMs = Date.now()
  if (readMs - (answers[0]?.atMs ?? 0) > LATELY_MS) throw new Error('The writes took too long to be counted as one.')
  const [, shownFailed, shownAll] = /([\d,]+) of ([\d,]+) writes? that were seen/.exec(text) ?? []
  const allow = { why: 'counted when answered' }
  const of = DATABASE
  report.claim('Triage', { figure: 'Writes that failed', of, shown: shownFailed, truth: failed.length, allow })
  report.claim('Triage', { figure: 'Writes of which some failed', of, shown: shownAll, truth: answers.length, allow })
  report.claim('Triage', {
    figure: 'Status of writes that failed',
    of,
    shown: /\(status (\d+)\)/.exec(text)?.[1],
    truth: String(failed[0]?.status),
  })
  const [, ago] = /the last one ([^:]+) ago/.exec(text) ?? []
  report.claim('Triage', {
    figure: 'Last write that failed, ago',
    of,
    shown: ago ?? '0 s',
    truth: readMs - (failed.at(-1)?.atMs ?? 0),
    allow: { absolute: 6500, why: 'judged every 5 s, of what is passed on each second' },
  })
}
