import { writeFile } from 'node:fs/promises'
import { tellStory } from '../audit/story.ts'
import { startRaven, test } from '../support/raven.ts'

/** A file for results, which `npm run audit` names: then every figure is audited, and the console shows how. */
const results = process.env['ROOKERY_AUDIT']
/** Titles of what is audited alone, parted by semicolons. */
const only = (process.env['ROOKERY_AUDIT_ONLY'] ?? '').split(';').filter((title) => title !== '')
const LEAST_FIGURES = 60

test('all panels of a healthy server under load: their figures are true, and none blames the server', async ({
  page,
  ravenVersion,
}) => {
  const isWhole = results !== undefined
  test.setTimeout(isWhole ? 2_400_000 : 600_000)
  const raven = await startRaven({ version: ravenVersion })
  try {
    const say = isWhole ? (text: string) => console.log(`  ${text}`) : () => undefined
    const { report, health, failures, slowestMs } = await tellStory(page, raven, { isWhole, say, only })
    const { figures, wrong } = report
    if (isWhole) await writeFile(results, JSON.stringify(report.summary))
    if (isWhole || wrong.length > 0) console.log(`\n${report.text(isWhole ? report.checked : wrong)}`)
    const problems = [
      ...failures,
      ...wrong.map(
        ({ panel, figure, of, shown, truth }) =>
          `${panel} shows a false figure: ${figure}${of === '' ? '' : ` of ${of}`}: ${shown}; it is ${truth}.`,
      ),
      ...health.reported.map(
        (reported) => `A page blamed a server that answered another client within ${slowestMs} ms: ${reported}`,
      ),
      ...(only.length === 0 && figures < LEAST_FIGURES
        ? [`Only ${figures} figures were audited: ${LEAST_FIGURES} are the least.`]
        : []),
    ]
    if (problems.length > 0) throw new Error(problems.join('\n'))
  } finally {
    await page.goto('about:blank')
    await raven.close()
  }
})
