import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import type { DatabaseNotice } from '../../../ravendb/databases/database-details.ts'
import { readNoticeDetails } from '../../../ravendb/databases/notice-details.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { TriageList } from './TriageList.tsx'

it('names the hint of slow I/O that the server keeps beside a finding about writes of its database', async () => {
  const finding = (rule: string, source: string) => ({
    id: `${rule} ${source}`,
    rule,
    level: 'warning' as const,
    title: `${rule} of ${source}`,
    sinceTicks: null,
    sinceIsBound: false,
    link: { panel: 'stalls' as const, params: {}, sources: [source], range: null },
    reason: null,
    evidence: [],
  })
  const Writes = {
    'JournalWrite//a.journal': { Path: '/a.journal', DurationInSec: 1.5, Type: 'JournalWrite' },
    'JournalWrite//b.journal': { Path: '/b.journal', DurationInSec: 1.65, Type: 'JournalWrite' },
  }
  const hint: DatabaseNotice = {
    id: 'PerformanceHint/SlowIO/slow-writes',
    atTicks: parseTicks('2026-11-27T16:49:45.0000000Z'),
    type: 'PerformanceHint',
    kind: 'SlowIO',
    severity: 'Info',
    title: 'An extremely slow write to disk',
    message: null,
    details: readNoticeDetails({ Writes }),
  }
  const capture = stubCapture()
  capture.responses.set('databases.notices', () => ({ loaded: true, atMs: 0, notices: [hint], total: 1 }))
  const items = [
    finding('held-up-commits', 'db:orders'),
    finding('slow-writes', 'server'),
    finding('long-queries', 'db:a'),
  ]
  const now = parseTicks('2026-11-27T16:55:00.0000000Z')
  renderPanel(<TriageList items={items} nowTicks={now} clock="utc" />, capture)
  expect(
    await screen.findByText(
      'The server’s own hint: “An extremely slow write to disk”, 2 files, the longest 1.65 s, 16:49:45.',
    ),
  ).toBeTruthy()
  expect(capture.calls).toEqual([['databases.notices', { database: 'orders' }]])
})

it('shows the beginning of words as long as a document, and the rest on request', async () => {
  const long = 'x'.repeat(300_000)
  const item = {
    id: 'index-errored orders',
    rule: 'index-errored',
    level: 'critical' as const,
    title: `The index “${long}” of “orders” stopped with errors.`,
    sinceTicks: null,
    sinceIsBound: false,
    link: { panel: 'indexing' as const, params: {}, sources: [], range: null },
    reason: null,
    evidence: [`Its state is ${long}.`],
  }
  renderPanel(<TriageList items={[item]} nowTicks={null} clock="utc" />, stubCapture())
  const [finding] = await screen.findAllByRole('listitem')
  expect(finding?.textContent.length).toBeLessThan(10_000)
  expect(screen.getAllByRole('button', { name: /^More: \d{3},\d{3} characters$/ })).toHaveLength(2)
})
