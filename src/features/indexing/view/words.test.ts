import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { fakeIndexing } from '../../../testing/fake-indexing.ts'
import type { FakeBatch } from '../../../testing/generated/generated-indexing.ts'
import type { BatchCard } from '../../../feeds/indexing/contract/batch-card.ts'
import { NO_FILTER } from '../../../feeds/indexing/contract/batches.ts'
import type { IndexSummary } from '../../../feeds/indexing/contract/summary.ts'
import {
  bytesOrNot,
  cardLines,
  cardText,
  describeCuts,
  describeFurther,
  describeView,
  reasonText,
  type ViewFacts,
} from './words.ts'

const sources = ['db:shop'] as const
const capture = await fakeIndexing({ seed: 2, budgetsHeld: true })
const data = capture.indexing
const range = { startTicks: data.startTicks, endTicks: data.endTicks }
const keys = data.indexes.map((index) => index.key)
const params = { ...range, indexes: keys, filter: NO_FILTER, largestLimit: 5 }
const summary = await capture.request('indexing.summary', params)
const { operations } = await capture.request('indexing.operations', params)
const { indexes } = await capture.request('indexing.indexes', { sources })
const { findings } = await capture.request('indexing.findings', { sources })
const facts: ViewFacts = {
  indexes,
  summary,
  operations,
  findings: [],
  range,
  known: range,
  gaps: [],
  clock: 'utc',
  manySources: false,
}
const cardOf = async ({ index: { key: index }, startTicks, id }: FakeBatch): Promise<BatchCard> => {
  const card = await capture.request('indexing.card', { ref: { index, startTicks, id } })
  if (card === null) throw new Error('No such batch.')
  return card
}

describe('describeView', () => {
  it('names who worked most, what it went to, why batches were stopped early, and what is faulty', () => {
    const busiest = summary.indexes.toSorted((a, b) => b.busyTicks - a.busyTicks)[0]!
    const words = describeView(facts)
    expect(words).toMatch(new RegExp(`^Busiest index: ${busiest.index!.split('|')[1]!}, `))
    expect(words).toContain('Most self time of all indexes: ')
    expect(words).toContain('stopped early, because')
    expect(words).toContain('Orders/Broken is faulty.')
  })

  it('says a broken rule of the budgets before all else', () => {
    const words = describeView({ ...facts, findings })
    expect(words).toMatch(
      /^Budget not lowered after memory was released since 02:1\d:\d\d: Users\/ByName holds a budget of 244 MiB/,
    )
  })

  it('says that nothing is known outside of what was seen, and that nothing happened inside of it', async () => {
    const later = {
      startTicks: (data.endTicks + TICKS_PER_SECOND) as Ticks,
      endTicks: (data.endTicks + 2 * TICKS_PER_SECOND) as Ticks,
    }
    expect(describeView({ ...facts, range: later })).toContain('after the newest data')
    const none = await capture.request('indexing.summary', { ...params, indexes: [] })
    expect(describeView({ ...facts, summary: none })).toContain('No batch was seen in the 1 min 6 s in view.')
  })
})

describe('describeCuts', () => {
  const reason = (
    code: 'low-memory' | 'no-budget' | 'no-more-documents',
    count: number,
  ): IndexSummary['reasons'][number] => ({
    code,
    weight: code === 'no-more-documents' ? 'calm' : 'pressure',
    count,
    words: '',
  })
  it('counts only what ran short of something', () => {
    expect(describeCuts([reason('no-more-documents', 9)])).toBe('')
    expect(describeCuts([reason('low-memory', 1), reason('no-more-documents', 9)])).toBe(
      ' 1 batch was stopped early, because memory was low.',
    )
    expect(describeCuts([reason('no-budget', 2), reason('low-memory', 1)])).toBe(
      ' 3 batches were stopped early, because no more memory was granted (2), memory was low (1).',
    )
  })
})

describe('a card', () => {
  const worked = data.batches.find((batch) => batch.state === 'worked' && batch.budgetBytes > 0)!
  const empty = data.batches.find((batch) => batch.state === 'empty')!

  it('has each figure with its unit', async () => {
    const lines = new Map(cardLines(await cardOf(worked), 'utc'))
    expect(lines.get('Started')).toMatch(/^2026-11-20 02:\d\d:\d\d\.\d{7} UTC$/)
    expect(lines.get('Documents')).toMatch(/ in, .* out, .* failed$/)
    expect(lines.get('Rate')).toMatch(/\/s documents, .*B\/s$/)
    expect(lines.get('Map granted')).toMatch(/ MiB$/)
  })

  it('says "not measured", never zero, of what the server did not measure', async () => {
    const lines = new Map(cardLines(await cardOf(empty), 'utc'))
    expect(lines.get('Map granted')).toBe('not measured: it asked for nothing')
    expect(lines.get('Commit')).toBe('not measured')
    expect(bytesOrNot(null)).toBe('not measured')
  })

  it('keeps the server’s words beside ours', () => {
    expect(
      reasonText({
        code: 'no-budget',
        weight: 'pressure',
        words: 'None was granted.',
        text: 'Cannot budget',
      }),
    ).toBe('None was granted. (server: “Cannot budget”)')
  })

  it('copies with all of its operations', async () => {
    const card = await cardOf(worked)
    const text = cardText(card, 'utc')
    for (const { name } of card.operations) expect(text).toContain(name)
  })
})

it('indexes that are not kept apart are said, with how many', () => {
  expect(describeFurther(990)).toBe(
    '990 indexes beyond the first 10,000 are shown as “(further indexes)”. Their batches count in every figure.',
  )
  expect(describeFurther(0)).toBe('')
})
