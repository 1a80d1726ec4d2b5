import { describe, expect, test } from 'vitest'
import { budgetStory } from '../../testing/budgets.ts'
import type { BudgetFinding } from './queries.ts'
import { BudgetWatch, type WatchEvent } from './watch.ts'

const SEEDS = Array.from({ length: 100 }, (_, i) => i + 1)

/** Place of the event at which the first finding (of those kinds) came, with that finding. */
function firstFound(events: readonly WatchEvent[], kinds: readonly string[]) {
  const watch = new BudgetWatch()
  for (const [i, event] of events.entries()) {
    watch.take(event)
    const found = watch.findings.find(({ kind }) => kinds.includes(kind))
    if (found !== undefined) return { at: i, found, watch }
  }
  return { at: -1, found: null, watch }
}

const names = (finding: BudgetFinding | null) => finding?.indexes ?? []

describe('the historic bug', () => {
  test.each(SEEDS)('seed %i: found at the first event that shows it, with the index named', (seed) => {
    const { events, firstViolation, culprit } = budgetStory({ seed, variant: 'historic' })
    const { at, found } = firstFound(events, ['grew-unasked', 'budget-held'])
    expect(at).toBe(firstViolation)
    if (firstViolation === -1) return
    expect(names(found)).toEqual([culprit])
    expect(found?.atTicks).toBe(events[at]?.atTicks)
    expect(found?.excessBytes).toBeGreaterThan(0)
    expect(found?.evidence.at(-1)?.index).toBe(culprit)
  })

  test('nearly every seed has something to find', () => {
    expect(SEEDS.filter((seed) => budgetStory({ seed, variant: 'historic' }).firstViolation !== -1).length).toBe(100)
  })

  test.each(SEEDS)('seed %i: promises are not questioned before a budget outlived its batch', (seed) => {
    const { events, isStale } = budgetStory({ seed, variant: 'historic' })
    const { at } = firstFound(events, ['over-promised'])
    if (at !== -1) expect(isStale.slice(0, at + 1)).toContain(true)
    else expect(at).toBe(-1)
  })

  test('who took the space meanwhile is named, and grants are evidence', () => {
    const stories = SEEDS.map((seed) => firstFound(budgetStory({ seed, variant: 'historic' }).events, ['grew-unasked']))
    expect(stories.filter(({ found }) => (found?.grewInto.length ?? 0) > 0).length).toBeGreaterThan(30)
    expect(stories.filter(({ found }) => /granted/.test(found?.words ?? '')).length).toBeGreaterThan(90)
  })
})

describe('the fixed variant', () => {
  test.each(SEEDS)('seed %i: silent', (seed) => {
    const { events, firstViolation } = budgetStory({ seed, variant: 'fixed' })
    expect(firstViolation).toBe(-1)
    const watch = new BudgetWatch()
    for (const event of events) watch.take(event)
    expect(watch.findings).toEqual([])
    expect(watch.checked).toBeGreaterThan(100)
  })
})

test('what goes on is one finding, with how often it was seen', () => {
  const watch = new BudgetWatch()
  for (let i = 0; i < 5; i++)
    watch.take({
      kind: 'batch',
      atTicks: i * 1e7,
      source: 'db:a',
      index: 'db:a|X',
      name: 'X',
      startTicks: i * 1e7,
      id: i,
      isOpen: false,
      checkedBytes: 200 * 2 ** 20 + i,
      budgetBytes: null,
    })
  expect(watch.findings).toMatchObject([{ kind: 'grew-unasked', times: 5, atTicks: 0, lastTicks: 4e7 }])
  expect(watch.findings[0]?.words).toContain('X holds 200 MiB and asked for nothing')
})

test('budgets that exceed what is available are told with all who hold them', () => {
  const watch = new BudgetWatch()
  const held = (name: string, budgetBytes: number): WatchEvent => ({
    kind: 'held',
    atTicks: 1e7,
    source: 'db:a',
    index: `db:a|${name}`,
    name,
    allocatedBytes: 40 * 2 ** 20,
    budgetBytes,
  })
  watch.take(held('X', 300 * 2 ** 20))
  watch.take(held('Y', 500 * 2 ** 20))
  watch.take({ kind: 'memory', atTicks: 2e7, availableBytes: 900 * 2 ** 20 })
  const promises = () => watch.findings.filter(({ kind }) => kind === 'over-promised')
  expect(promises()).toEqual([])
  watch.take({ kind: 'memory', atTicks: 7e7, availableBytes: 100 * 2 ** 20 })
  expect(promises()).toMatchObject([{ indexes: ['db:a|Y', 'db:a|X'], excessBytes: 620 * 2 ** 20, atTicks: 7e7 }])
})

test('a running batch that has not asked yet is no finding; the same figure of one that is over is', () => {
  const told = {
    kind: 'batch',
    atTicks: 1000,
    index: 'db:a|i',
    source: 'db:a',
    name: 'i',
    startTicks: 10,
    id: 41,
    budgetBytes: null,
  } as const
  const watch = new BudgetWatch()
  watch.take({ ...told, isOpen: true, checkedBytes: 44.9 * 2 ** 20 })
  expect(watch.findings).toEqual([])
  watch.take({ ...told, isOpen: false, checkedBytes: 44.9 * 2 ** 20 })
  expect(watch.findings.map(({ kind }) => kind)).toEqual(['grew-unasked'])
})
