import type { Locator, Page } from '@playwright/test'
import type { TargetKind } from '../../src/actions/model.ts'
import { BY_QUERY_ACTIONS } from '../../src/actions/rows/by-query.ts'
import { DEFINITION_ACTIONS } from '../../src/actions/rows/index-definitions.ts'
import { ACTIONS } from '../../src/actions/table.ts'
import { LONG_MS } from './actions.ts'
import { expect } from './raven.ts'

/* Every place where an action is offered, and what is offered there. */

/** Targets of the places where actions are offered. All of them exist. */
export interface OfferWorld {
  readonly studio: (hash: string) => string
  readonly database: string
  /** Indexes of the database. */
  readonly indexes: readonly string[]
  /** An index of another database, which a replacement is built for. */
  readonly replaced: { readonly database: string; readonly index: string }
  /** Other databases, of which only the row in the list is read. */
  readonly others: readonly string[]
  /** Ids of notifications: of the server, of the database. */
  readonly alert: string | null
  readonly notification: string
  /** True for a certificate without clearance on the server, which sees its own databases only. */
  readonly isOfOwnOnly?: boolean
  /** Begins a query and an operation that run for some 10 s at least; returns what ends the operation. */
  readonly run: () => Promise<() => Promise<void>>
}

/** An offered action: its title without the mark of a dialog, and why it cannot be chosen; null: it can. */
export interface SeenOffer {
  readonly kind: TargetKind
  /** Database of the target; null for the server. */
  readonly database: string | null
  readonly title: string
  readonly refusal: string | null
}

/**
 * Titles of entries by the table: one for each choice. Left out are actions that no menu shows, since they need a text that the
 * user wrote: documents, changes by query, and index definitions. `documents.spec.ts`, `query.spec.ts` and
 * `index-definitions.spec.ts` have them.
 */
export const EVERY_TITLE: readonly string[] = [
  ...new Set(
    ACTIONS.filter(
      (action) => action.target !== 'document' && ![...BY_QUERY_ACTIONS, ...DEFINITION_ACTIONS].includes(action),
    ).flatMap(({ title, presets }) => presets?.map(({ text }) => text) ?? [title]),
  ),
]

/** Opens each place, reads what it offers, and tries to choose what cannot be chosen. */
export async function visitOffers(page: Page, world: OfferWorld): Promise<readonly SeenOffer[]> {
  const { database, studio, isOfOwnOnly: ofOwnOnly = false } = world
  const seen: SeenOffer[] = []
  const note = (kind: TargetKind, of: string | null, title: string, refusal: string | null): void =>
    void seen.push({ kind, database: of, title: bare(title), refusal })

  const button = async (kind: TargetKind, from: string | null, of: Locator): Promise<void> => {
    await expect(of).toBeVisible({ timeout: LONG_MS })
    // While rights are being read all is disabled.
    await expect(of).not.toHaveAttribute('title', /rights .* are being read/)
    const isOff = await of.isDisabled()
    if (isOff) await press(of)
    note(kind, from, await of.innerText(), isOff ? await of.getAttribute('title') : null)
  }
  const menu = async (
    kind: TargetKind,
    from: string | null,
    name: string,
    within: Locator = page.locator('body'),
  ): Promise<void> => {
    await within.getByRole('button', { name, exact: true }).click({ timeout: LONG_MS })
    const items = page.getByRole('menuitem')
    await expect(items.first()).toBeVisible()
    await expect(page.getByRole('menu').filter({ visible: true, hasText: /being read/ })).toHaveCount(0)
    await expectInSight(page)
    const read = await entriesOf(items)
    await items.evaluateAll((all) => {
      for (const item of all) if (item.ariaDisabled === 'true') (item as HTMLElement).click()
    })
    for (const { isOff, lines } of read) {
      const [title = '', ...reason] = lines
      note(kind, from, title, isOff ? reason.join(' ') : null)
    }
    await page.keyboard.press('Escape')
    await expect(items.first()).toBeHidden()
  }

  await page.goto(studio(`#/indexing?v=1&s=db:${database}&indexing.view=indexes`))
  for (const index of world.indexes) await menu('index', database, `Actions on “${index}” of “${database}”`)
  for (const index of world.indexes.slice(0, 2)) await page.getByRole('checkbox', { name: `Choose ${index}` }).check()
  await menu('index', database, 'Act on 2 indexes')
  // An hour: a lane is there only where a batch is in view.
  await page.goto(studio(`#/indexing?v=1&live=36000000000&s=db:${database}`))
  await menu('index', database, `Actions on “${world.indexes[0]}” of “${database}”`)
  const { replaced } = world
  await page.goto(studio(`#/indexing?v=1&s=db:${replaced.database}&indexing.view=indexes`))
  await menu('index', replaced.database, `Actions on “${replaced.index}” of “${replaced.database}”`)

  await page.keyboard.press('Control+k')
  await page.keyboard.type(`garbage`)
  const option = page.getByRole('option', { name: /Collect garbage/ })
  await expect(option).toBeVisible()
  if ((await option.getAttribute('aria-disabled')) === 'true') {
    note('server', null, 'Collect garbage', await option.getAttribute('title'))
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Escape')

  await page.goto(studio('#/databases'))
  for (const name of ['Create database', 'Restore a backup'])
    await button('server', null, page.getByRole('button', { name }))
  for (const name of world.others) await menu('database', name, `Actions on “${name}”`)
  await page.goto(studio(`#/databases?v=1&databases.open=${database}`))
  const list = page.getByRole('list', { name: `What can be done to “${database}”` })
  await expect(list.getByRole('listitem').first()).toBeVisible({ timeout: LONG_MS })
  const shared = page.getByText('The rights of this certificate are being read.').filter({ visible: true })
  await expect(shared).toHaveCount(0, { timeout: LONG_MS })
  for (const item of await list.getByRole('listitem').all()) {
    const of = item.getByRole('button')
    const isOff = await of.isDisabled()
    if (isOff) await press(of)
    note('database', database, await of.innerText(), isOff ? await reasonIn(item) : null)
  }

  const end = await world.run()
  await page.goto(studio('#/activity?v=1&activity.view=queries'))
  const kill = page.getByRole('button', { name: /^Kill query: / }).first()
  if (!ofOwnOnly) await button('query', world.replaced.database, kill)
  await page.getByRole('radio', { name: 'Operations' }).check({ force: true })
  await button('operation', database, page.getByRole('button', { name: /^Cancel operation: / }).first())
  await end()

  await page.goto(studio('#/server?v=1&server.view=alerts'))
  if (world.alert !== null) await menu('notification', null, `Actions on notification “${world.alert}” of the server`)
  const ofDatabases = page.getByRole('region', { name: 'Notifications of databases' })
  await ofDatabases.getByText(database, { exact: true }).click({ timeout: LONG_MS })
  await menu('notification', database, `Actions on notification “${world.notification}” of “${database}”`)
  // The card that has it needs figures that such a certificate gets only once there was a collection.
  if (ofOwnOnly) return seen
  await page.goto(studio('#/server'))
  await button('server', null, page.getByRole('button', { name: 'Collect garbage' }))
  return seen
}

/** Why the button of a list's entry is disabled: beside it, or above the list where most share it. */
export const reasonIn = (item: Locator): Promise<string> =>
  item.evaluate((entry) => {
    const headId = entry.querySelector('button')?.getAttribute('aria-describedby') ?? ''
    const of = entry.querySelector('strong') ?? document.getElementById(headId)
    return of?.textContent.trim() ?? ''
  })

/** A reason that most share is at the head of the menu, which describes them. */
const entriesOf = (items: Locator): Promise<{ isOff: boolean; lines: string[] }[]> =>
  items.evaluateAll((all) =>
    all.map((item) => ({
      isOff: item.ariaDisabled === 'true',
      lines: [item as HTMLElement, document.getElementById(item.getAttribute('aria-describedby') ?? '')]
        .flatMap((of) => of?.innerText.split('\n') ?? [])
        .filter((line) => line.trim() !== ''),
    })),
  )

/** Clicks an element wherever it is: something else may lie over a disabled one. */
const press = (of: Locator): Promise<void> => of.evaluate((element: HTMLElement) => element.click())

const bare = (title: string): string =>
  title
    .trim()
    .replace(/ …$/, '')
    .replace(/: \d+ of \d+$/, '')

/** The open menu lies within the window, and nothing of it is cut off. */
async function expectInSight(page: Page): Promise<void> {
  const cut = await page
    .getByRole('menu')
    .filter({ visible: true })
    .evaluate((menu) => {
      const { left, right, top, bottom } = menu.getBoundingClientRect()
      const { clientWidth, clientHeight } = document.documentElement
      const isWithin = left >= 0 && right <= clientWidth && top >= 0 && bottom <= clientHeight
      return isWithin && menu.scrollWidth <= menu.clientWidth
        ? null
        : `${left} to ${right}, ${top} to ${bottom}, ${menu.scrollWidth} in ${menu.clientWidth}`
    })
  expect(cut, 'cut off').toBeNull()
}
