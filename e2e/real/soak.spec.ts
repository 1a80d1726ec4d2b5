import { appendFile } from 'node:fs/promises'
import { FAULTS } from '../soak/plan.ts'
import { soak } from '../soak/story.ts'
import { expect, test } from '../support/raven.ts'

/** `npm run soak` names a file for results, how long, and the seed; then the console shows each step. */
const { ROOKERY_SOAK: results, ROOKERY_SOAK_MINUTES: minutes = '3', ROOKERY_SOAK_SEED: seed = '1' } = process.env
/** Separated by commas; all when left out. */
const { ROOKERY_SOAK_FAULTS: only } = process.env
const VERSION = '7.1.5'

test('faults at random: figures are those of another listener but for declared gaps, and no word is false @soak', async ({
  page,
  ravenVersion,
  complaints,
}) => {
  test.skip(results === undefined && ravenVersion !== VERSION, `plays on ${VERSION} alone, for three minutes`)
  test.setTimeout((Number(minutes) + 3) * 60_000)
  // The browser logs each request that fails; the soak checks everything else itself.
  complaints.allow(/Failed to load resource|WebSocket connection|net::ERR_/)
  const lines: string[] = []
  const say = (text: string): void => {
    lines.push(text)
    if (results !== undefined) process.stdout.write(`seed ${seed}  ${text}\n`)
  }
  const report = await soak(page, {
    version: ravenVersion,
    seed: Number(seed),
    minutes: Number(minutes),
    say,
    ...(only === undefined ? {} : { faults: FAULTS.filter((fault) => only.split(',').includes(fault)) }),
  })
  if (results !== undefined) await appendFile(results, `${JSON.stringify(report)}\n`)
  expect(report.problems, lines.join('\n')).toEqual([])
})
