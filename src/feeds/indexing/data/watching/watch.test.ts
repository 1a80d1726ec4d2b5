import { describe, expect, test } from 'vitest'
import { budgetStory } from '../../../../testing/budgets.ts'
import { inGate } from '../../../../testing/gate.ts'
import type { BudgetFinding } from '../../contract/findings.ts'
import { BudgetWatch, type WatchEvent } from './watch.ts'

const SEEDS = Array.from({ length: inGate(15, 100) }, (_, i) => i + 1)

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

  test('every seed has something to find', () => {
    expect(SEEDS.filter((seed) => budgetStory({ seed, variant: 'historic' }).firstViolation !== -1)).toEqual(SEEDS)
  })

  test('every seed is found by batches alone: 6.2 and 7.1 tell no budget between batches', () => {
    const found = SEEDS.filter((seed) => {
      const story = budgetStory({ seed, variant: 'historic', reports: { threads: false, held: false } })
      return firstFound(story.events, ['grew-unasked']).at === story.firstViolation && story.firstViolation !== -1
    })
    expect(found).toEqual(SEEDS)
  })

  test.each(SEEDS)('seed %i: promises are not questioned before a budget outlived its batch', (seed) => {
    const { events, isStale } = budgetStory({ seed, variant: 'historic' })
    const { at } = firstFound(events, ['over-promised'])
    if (at !== -1) expect(isStale.slice(0, at + 1)).toContain(true)
    else expect(at).toBe(-1)
  })

  test('who took the space meanwhile is named, and grants are evidence', () => {
    const stories = SEEDS.map((seed) => firstFound(budgetStory({ seed, variant: 'historic' }).events, ['grew-unasked']))
    expect(stories.filter(({ found }) => (found?.grewInto.length ?? 0) > 0).length).toBeGreaterThan(0.3 * SEEDS.length)
    expect(stories.filter(({ found }) => /granted/.test(found?.words ?? '')).length).toBeGreaterThan(0.9 * SEEDS.length)
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

test('a lasting state is one finding, with how often it was seen', () => {
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
      documents: 100,
      passedLastCheck: true,
    })
  expect(watch.findings).toMatchObject([{ kind: 'grew-unasked', times: 5, atTicks: 0, lastTicks: 4e7 }])
  expect(watch.findings[0]?.words).toContain('X holds 200 MiB and asked for nothing')
})

test('budgets that exceed what is available are reported with all who hold them', () => {
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

describe('what a batch holds unasked is a finding only where a check must have let it pass', () => {
  const mib = (count: number): number => count * 2 ** 20
  const reported = (parts: Partial<Extract<WatchEvent, { kind: 'batch' }>>): WatchEvent => ({
    kind: 'batch',
    atTicks: 1000,
    index: 'db:a|i',
    source: 'db:a',
    name: 'i',
    startTicks: 10,
    id: 41,
    budgetBytes: null,
    checkedBytes: mib(45.9),
    documents: 256,
    isOpen: true,
    passedLastCheck: false,
    ...parts,
  })
  const findings = (...events: WatchEvent[]): readonly BudgetFinding[] => {
    const watch = new BudgetWatch()
    for (const event of events) watch.take(event)
    return watch.findings
  }

  test('not while it may be about to ask, nor where it was stopped before it could', () => {
    expect(findings(reported({}))).toEqual([])
    expect(findings(reported({ checkedBytes: mib(400) }))).toEqual([])
    expect(findings(reported({ isOpen: false }))).toEqual([])
    // Halted, it is reported again and again, and then stopped.
    expect(findings(reported({}), reported({ atTicks: 2000 }), reported({ documents: 300, isOpen: false }))).toEqual([])
    // The budget was requested after all.
    expect(findings(reported({}), reported({ documents: 2000, budgetBytes: mib(62) }))).toEqual([])
  })

  test('when nothing but a lack of documents ended it', () => {
    const [found] = findings(reported({ isOpen: false, passedLastCheck: true }))
    expect(found?.kind).toBe('grew-unasked')
    expect(found?.evidence.at(-1)?.words).toContain('that check let it go on')
  })

  test('when it went on with documents and still had not asked', () => {
    const [found] = findings(reported({}), reported({ documents: 512, checkedBytes: mib(47), isOpen: false }))
    expect(found?.evidence.at(-1)?.words).toContain('it held 45.9 MiB already 256 documents earlier')
  })

  test('when no single check between many can have made so much of so little', () => {
    const [found] = findings(reported({ isOpen: false, documents: 12_800, checkedBytes: mib(500) }))
    expect(found?.evidence.at(-1)?.words).toContain('every 128 of 12,800 documents')
    expect(findings(reported({ isOpen: false, documents: 1280, checkedBytes: mib(500) }))).toEqual([])
  })
})
