import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../base/brand.ts'
import { TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { indexingResponse } from '../../../testing/fake-indexing-answers.ts'
import { generateIndexing } from '../../../testing/generated-indexing.ts'
import type { BatchCard } from '../contract/batch-card.ts'
import { NO_FILTER } from '../contract/batches.ts'
import type { IndexingIndexesResponse } from '../contract/indexes.ts'
import type { IndexingSummaryResponse, IndexSummary } from '../contract/summary.ts'
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

const data = generateIndexing({ seed: 2, databases: ['shop'], indexes: 6, seconds: 120, budgetsHeld: true })
const range = { startTicks: data.startTicks, endTicks: data.endTicks }
const keys = data.indexes.map((index) => index.key)
const ask = { ...range, indexes: keys, filter: NO_FILTER, largestLimit: 5, operations: true }
const summary = indexingResponse(data, data.endTicks, 1, 'indexing.summary', ask) as IndexingSummaryResponse
const { indexes } = indexingResponse(data, data.endTicks, 1, 'indexing.indexes', {
  sources: ['db:shop'],
}) as IndexingIndexesResponse
const facts: ViewFacts = {
  indexes,
  summary,
  operations: summary.operations,
  findings: [],
  range,
  known: range,
  gaps: [],
  clock: 'utc',
  manySources: false,
}
const cardOf = (batch: { readonly index: string; readonly startTicks: Ticks; readonly id: number }): BatchCard =>
  indexingResponse(data, data.endTicks, 1, 'indexing.card', { ref: batch }) as BatchCard

describe('describeView', () => {
  it('names who worked most, what it went to, why batches were stopped early, and what is faulty', () => {
    const dearest = summary.indexes.toSorted((a, b) => b.busyTicks - a.busyTicks)[0]!
    const words = describeView(facts)
    expect(words).toMatch(new RegExp(`^Busiest index: ${dearest.index!.split('|')[1]!}, `))
    expect(words).toContain('Most self time of all indexes: ')
    expect(words).toContain('stopped early, because')
    expect(words).toContain('Orders/Broken is faulty.')
  })

  it('says a broken rule of the budgets before all else', () => {
    const words = describeView({ ...facts, findings: data.findings })
    expect(words).toMatch(/^Budget not lowered after memory was released since 02:1\d:\d\d: Users\/ByName gave back/)
  })

  it('says that nothing is known outside of what was seen, and that nothing happened inside of it', () => {
    const later = {
      startTicks: (data.endTicks + TICKS_PER_SECOND) as Ticks,
      endTicks: (data.endTicks + 2 * TICKS_PER_SECOND) as Ticks,
    }
    expect(describeView({ ...facts, range: later })).toContain('after the newest data')
    const none = indexingResponse(data, data.endTicks, 1, 'indexing.summary', {
      ...ask,
      indexes: [],
    }) as IndexingSummaryResponse
    expect(describeView({ ...facts, summary: none })).toContain('No batch was seen in the 2 min in view.')
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
  const worked = data.batches.find((batch) => batch.state === 'worked' && batch.budgetBytes !== null)!
  const empty = data.batches.find((batch) => batch.state === 'empty')!

  it('has each figure with its unit', () => {
    const lines = new Map(cardLines(cardOf(worked), 'utc'))
    expect(lines.get('Started')).toMatch(/^2026-11-20 02:\d\d:\d\d\.\d{7} UTC$/)
    expect(lines.get('Documents')).toMatch(/ in, .* out, .* failed$/)
    expect(lines.get('Rate')).toMatch(/\/s documents, .*B\/s$/)
    expect(lines.get('Map granted')).toMatch(/ MiB$/)
  })

  it('says "not measured", never nought, of what the server did not measure', () => {
    const lines = new Map(cardLines(cardOf(empty), 'utc'))
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
        numbers: [],
      }),
    ).toBe('None was granted. (server: “Cannot budget”)')
  })

  it('copies with all of its operations', () => {
    const card = cardOf(worked)
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
