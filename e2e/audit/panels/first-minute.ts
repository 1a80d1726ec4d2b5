import { setTimeout as sleep } from 'node:timers/promises'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const READ_EVERY_MS = 200
const MOST_MS = 90_000

interface Said {
  readonly text: string
  /** Beside the sentence that nothing is wrong. */
  readonly hasTick: boolean
}

const isChecking = ({ text }: Pick<Said, 'text'>): boolean => text.includes('Checking:')

/** The first page of a browser that knows nothing yet: what it claims before it can judge. */
export async function auditFirstMinute({ page, report }: Visit, { raven }: World): Promise<void> {
  await page.goto(raven.studio('#/triage?v=2'))
  const said: Said[] = []
  for (const endMs = Date.now() + MOST_MS; Date.now() < endMs; await sleep(READ_EVERY_MS)) {
    const now = await page.evaluate((): Said | null => {
      const status = document.querySelector('[aria-label="Triage"] header [role="status"]')
      return status === null
        ? null
        : {
            text: status.textContent,
            hasTick: status.querySelector('[data-verdict=calm]') !== null || /No issues/.test(status.textContent),
          }
    })
    if (now === null) continue
    said.push(now)
    // Before it checks, it reads.
    if (said.some(isChecking) && !isChecking(now)) break
  }
  const early = said.filter((now) => now.hasTick && isChecking(now))
  const allow = { why: 'read five times a second' }
  report.claim('Triage', {
    figure: 'All clear before all was judged',
    shown: String(early.length),
    truth: said.length === 0 ? undefined : 0,
    allow,
  })
  const checks = said.flatMap(({ text }) => {
    const [, done, all] = /Checking: (\d+) of (\d+)/.exec(text) ?? []
    return done === undefined || all === undefined ? [] : [Number(all) - Number(done)]
  })
  report.claim('Triage', {
    figure: 'Checks that were still open while it said so, at least',
    shown: String(Math.min(...checks)),
    truth: checks.length === 0 ? undefined : { least: 1, most: 100 },
    allow,
  })
  // No forecast of a disk has minutes of it yet: it is not among what was judged.
  const open = page.getByText(/judged without a history that is long enough/).first()
  await open.waitFor({ timeout: MOST_MS })
  const words = await open.innerText()
  report.claim('Triage', {
    figure: 'Judged without a history: at least',
    shown: /([\d,]+) checks? judged without a history/.exec(words)?.[1] ?? '0',
    truth: { least: 1, most: 100 },
    allow: { why: 'the page has been open for less than a forecast takes' },
  })
}
