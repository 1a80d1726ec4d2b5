import type { Page } from '@playwright/test'
import type { FakeServer } from '../support/fake-server.ts'
import { delta, fakeEvent, okJson, rings } from '../support/fake-answers.ts'
import { expect, NETWORK_NOISE, test, timeline } from '../support/fake.ts'
import { idle } from '../support/studio.ts'
import { openPanel } from '../support/panels.ts'

/** Reorders what follows it, breaks the line, rings a bell, and is HTML. */
const EVIL = '\u202Eevil\u2066\n\u0007\u2028name<img src=x onerror=alert(1)>'
const SHOWN = String.raw`\u202Eevil\u2066\n\u0007\u2028name<img src=x onerror=alert(1)>`
const DATABASE = `Orders${EVIL}`
const PATH = `/var/lib/ravendb/data/Databases/${DATABASE}`

declare global {
  var drawn: string[]
}

/** Every text that a page shows, draws, or passes to a screen reader, which holds a character that is not seen, or is HTML. */
const hiddenIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
    const inLines = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u
    const found = [document.title, ...globalThis.drawn].filter((text) => hidden.test(text))
    for (const { outerHTML } of document.querySelectorAll('img[src=x]')) found.push(`HTML ${outerHTML}`)
    const walk = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const text = node.nodeValue ?? ''
      const isOfLines = node.parentElement?.closest('pre') != null
      if ((isOfLines ? inLines : hidden).test(text)) found.push(`text ${JSON.stringify(text)}`)
    }
    const read = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext']
    for (const element of document.querySelectorAll('*'))
      for (const name of read)
        if (hidden.test(element.getAttribute(name) ?? '')) found.push(`${name} of ${element.outerHTML.slice(0, 200)}`)
    return found
  })

/** A server of which everything that may have a name has that one. */
function hostile(fake: FakeServer): void {
  const document = JSON.parse(rings(DATABASE, Date.now())) as { Environments: object[] }
  const index = delta([fakeEvent(Date.now(), { Duration: 5000, Type: `Kind${EVIL}` }), fakeEvent(Date.now() - 5)], {
    path: `${PATH}/Indexes/Auto_${EVIL}`,
    type: 'Index',
    file: `${EVIL}.journal`,
  }) as { Environments: object[] }
  document.Environments.push(...index.Environments)
  fake.database(DATABASE, { first: JSON.stringify(document), indexes: [`Auto/${EVIL}`] })
  fake.fault(/^\/admin\/debug\/threads\/stack-trace/, okJson(stacks()))
}

const stacks = (): object => ({
  Results: [{ ThreadIds: [7, 8], StackTrace: [`Lib${EVIL}!Class.${EVIL}()`, `Main${EVIL}`] }],
  Threads: [7, 8].map((Id) => ({ Id, Name: `'${DATABASE}' ${EVIL}`, State: `Wait${EVIL}`, CpuUsage: 3.5 })),
})

/** A batch that failed, of an index with an operation. */
const batches = (): object => ({
  Results: [
    {
      Name: `Auto/${EVIL}`,
      Performance: [
        {
          Id: 1,
          Started: '2026-01-01T00:00:01.0000000Z',
          Completed: '2026-01-01T00:00:02.0000000Z',
          DurationInMs: 1000,
          InputCount: 10,
          SuccessCount: 9,
          FailedCount: 1,
          OutputCount: 9,
          Details: {
            Name: 'Indexing',
            DurationInMs: 1000,
            Operations: [{ Name: `Map${EVIL}`, DurationInMs: 800, Operations: [] }],
          },
        },
      ],
    },
  ],
})

test.beforeEach(async ({ page, complaints }) => {
  complaints.allow(NETWORK_NOISE)
  await page.addInitScript(() => {
    globalThis.drawn = []
    const { prototype } = CanvasRenderingContext2D
    // oxlint-disable-next-line typescript/unbound-method -- called on its own object below
    const fillText = prototype.fillText
    prototype.fillText = function (text, ...place) {
      globalThis.drawn.push(text)
      fillText.call(this, text, ...place)
    }
  })
})

test('names from a server show what is hidden in them, on every panel', async ({ page, fake }) => {
  hostile(fake)
  await page.goto(fake.studio('#/databases?v=1'))
  const row = page.getByRole('row').filter({ hasText: `Orders${SHOWN}` })
  await expect(row).toBeVisible()
  expect(await hiddenIn(page)).toEqual([])

  // The raw name is what is requested.
  await row.getByText(`Orders${SHOWN}`).click()
  await page.getByRole('link', { name: /^I\/O of / }).click()
  await expect(timeline(page)).toBeVisible()
  await expect.poll(() => fake.watchers(DATABASE)).toBe(1)
  await page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').first().click()
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText(SHOWN)
  await expect(page).toHaveTitle(`I/O · Orders${SHOWN} – Rookery`)
  await idle(page)
  expect(await hiddenIn(page)).toEqual([])
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('table', { name: 'Events in view' })).toContainText(SHOWN)
  expect(await hiddenIn(page)).toEqual([])

  fake.send('\0queries', {
    [DATABASE]: [{ QueryId: 1, QueryText: `from index 'Auto/${EVIL}'`, Duration: '00:01:00', IsStreaming: false }],
  })
  for (const panel of ['Triage', 'Vitals', 'Stalls', 'Compare', 'Indexing', 'Stacks', 'Activity', 'Files']) {
    await openPanel(page, panel)
    await expect(page.getByRole('heading', { name: panel, level: 1, exact: true })).toBeAttached()
    await idle(page)
    expect(await hiddenIn(page), panel).toEqual([])
  }
  expect(fake.loads).toEqual([])
})

test('so do names of threads and functions, in tables, graphs and copies @full', async ({ page, fake, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  hostile(fake)
  await page.goto(fake.studio('#/stacks?v=1'))
  await page.getByRole('button', { name: 'Take stack snapshot' }).click()
  await expect(page.getByText(/The last one took/)).toBeVisible()
  for (const part of await page.getByRole('main').getByRole('radiogroup').first().getByRole('radio').all()) {
    await part.check({ force: true })
    await idle(page)
    expect(await hiddenIn(page)).toEqual([])
  }
  await expect.poll(() => page.evaluate(() => globalThis.drawn.some((text) => text.includes('\\u202E')))).toBe(true)
})

test('so do files: their names, their batches, and their text @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  const name = `${EVIL}.json`
  await page.getByLabel('Open files', { exact: true }).setInputFiles({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(batches())),
  })
  await expect(page.getByRole('heading', { name: 'Indexing', level: 1 })).toBeAttached()
  await expect(page.getByRole('table', { name: 'Indexes in view' })).toContainText(`Auto/${SHOWN}`)
  await page
    .getByRole('button', { name: new RegExp(`^Auto/`) })
    .first()
    .click()
  await idle(page)
  expect(await hiddenIn(page)).toEqual([])

  await openPanel(page, 'Files')
  await page.getByRole('button', { name: 'Look into it' }).click()
  for (const as of ['Tree', 'Text']) {
    await page.getByRole('radio', { name: as }).check({ force: true })
    await expect(page.getByRole('region', { name: /^Contents of/ })).toContainText('evil')
    expect(await hiddenIn(page), as).toEqual([])
  }
})
