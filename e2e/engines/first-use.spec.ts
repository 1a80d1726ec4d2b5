import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { delta, fakeEvent } from '../support/fake-answers.ts'
import { FakeServer } from '../support/fake-server.ts'
import '../support/studio.ts'
import type { Driver } from './driver.ts'
import { ENGINES, inEngine } from './in-engine.ts'
import { Studio } from './studio.ts'

const FILE = join(import.meta.dirname, '../../src/testing/recorded/7.1/io-metrics.json')
const TIMELINE = '[aria-label="I/O timeline"]'

declare global {
  var complaints: readonly string[]
}

/** Notes in `complaints` what the page reports to its console, throws, or has refused by its policy. */
const NOTE_COMPLAINTS = `
  globalThis.complaints = []
  const { error } = console
  console.error = (...parts) => void (complaints.push('console: ' + parts.join(' ')), error(...parts))
  addEventListener('error', ({ message }) => complaints.push('error: ' + message))
  addEventListener('unhandledrejection', ({ reason }) => complaints.push('rejection: ' + reason))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complaints.push('policy: ' + violatedDirective + ' ' + blockedURI))
`

/** No code is loaded before it is needed. */
const SAVE_DATA = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`

const test = base.extend<{ fake: FakeServer }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern
  fake: async ({}, use) => {
    const fake = new FakeServer().database('Orders')
    fake.firstScript = `${NOTE_COMPLAINTS};${SAVE_DATA}`
    await fake.start()
    await use(fake)
    await fake.stop()
  },
})

async function use(driver: Driver, fake: FakeServer): Promise<void> {
  const studio = new Studio(driver)
  const complaints = (): Promise<readonly string[]> => driver.evaluate(() => globalThis.complaints)

  await test.step('the first page shows what the server sends', async () => {
    await driver.goto(fake.studio())
    const cpu = { ProcessCpuUsage: 1, MachineCpuUsage: 77, UtilizedCores: 2, NumberOfCores: 2 }
    // Again and again, as a server does: the first frames of a socket are dropped.
    const sending = setInterval(() => fake.dashboard('CpuUsage', cpu), 500)
    await studio.shows('[aria-label="Vital signs"]', /77 %/).finally(() => clearInterval(sending))
    expect(await complaints()).toEqual([])
  })

  await test.step('I/O is live: an event that the server sends is counted', async () => {
    await studio.click('nav a', 'I/O')
    await studio.shows('[aria-label="Lanes"]', /Events.ByKind/)
    await expect.poll(() => studio.count()).toBeGreaterThan(0)
    const before = await studio.count()
    fake.send('Orders', delta([fakeEvent(Date.now())], { path: fake.documentsPath('Orders') }))
    await expect.poll(() => studio.count()).toBe(before + 1)
    expect(await complaints()).toEqual([])
  })

  await test.step('a file is opened, and the wheel zooms its timeline', async () => {
    await driver.goto('about:blank')
    await driver.goto(fake.studio('#/files'))
    await studio.place('button', 'Open files…')
    await driver.chooseFile('[aria-label="Open files"]', FILE)
    await studio.shows('[aria-label="Lanes"]', /Events.ByKind/)
    const middle = await studio.place(TIMELINE)
    const width = async (): Promise<number> => {
      const [, from, to] = /range=(\d+)\.\.(\d+)/.exec(await studio.hash()) ?? []
      return Number(to) - Number(from)
    }
    await expect.poll(width).toBeGreaterThan(0)
    const whole = await width()
    await studio.wheel(middle, -600)
    await expect.poll(width).toBeLessThan(whole)
    expect(await complaints()).toEqual([])
  })
}

// The other stories of this folder have a real server; what is special to an engine does not depend on which one answers.
for (const [name, start] of ENGINES)
  test(`${name}: the first page, live I/O, a file and its timeline, without a complaint`, ({ fake }, info) =>
    inEngine(start, (driver) => use(driver, fake), info))
