import { expect, it } from 'vitest'
import { formatAgo } from '../../../base/text/figures.ts'
import { parseTicks, type Ticks } from '../../../base/ticks.ts'
import { SERVER_NOW } from '../../../testing/server/server-load.ts'
import type { TriageItem } from '../contract/findings.ts'
import { describeSince } from './words.ts'

const item = (time: string | null, sinceIsBound = false): TriageItem => ({
  rule: 'index-errored',
  level: 'critical',
  id: 'index-errored',
  title: '',
  reason: null,
  link: { panel: 'indexing', params: {}, sources: [], range: null },
  evidence: [],
  sinceTicks: time === null ? null : parseTicks(`2026-11-20T${time}Z`),
  sinceIsBound,
})

it('tells since when a finding holds, and that it may be longer', () => {
  expect(describeSince(item('04:04:35'), SERVER_NOW, 'utc')).toBe('since 04:04:35 (9 min)')
  expect(describeSince(item('04:02:35', true), SERVER_NOW, 'utc')).toBe('since before 04:02:35')
  expect(describeSince(item(null), SERVER_NOW, 'utc')).toBe('start unknown')
  expect(describeSince(item('04:04:35'), null, 'utc')).toBe('since 2026-11-20 04:04:35')
  expect(formatAgo(SERVER_NOW, (SERVER_NOW + 30_000_000) as Ticks)).toBe('3 seconds')
})
