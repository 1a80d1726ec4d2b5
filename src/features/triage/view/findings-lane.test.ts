import { expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import type { Happening } from '../contract/activity.ts'
import type { TriageItem } from '../contract/findings.ts'
import { findingsOf } from './findings-lane.ts'

const item = (title: string, sinceTicks: number | null, parts: Partial<TriageItem> = {}): TriageItem => ({
  id: title,
  rule: 'rule',
  level: 'warning',
  title,
  reason: null,
  evidence: ['evidence'],
  sinceTicks: sinceTicks as Ticks | null,
  sinceIsBound: false,
  link: { panel: 'server', params: {}, sources: [], range: null },
  ...parts,
})

const happening = (text: string, level: Happening['level']): Happening => ({
  id: text,
  level,
  startTicks: 10 as Ticks,
  endTicks: 30 as Ticks,
  startIsBound: false,
  times: 2,
  firstTicks: 5 as Ticks,
  text,
  link: null,
})

it('findings that hold last until now, held ones until then, and what is ordinary is none', () => {
  const findings = findingsOf(
    {
      items: [item('disk', 100), item('unknown begin', null)],
      more: [item('queries', 50, { held: { ticks: 80 as Ticks, isEnd: false }, sinceIsBound: true })],
    },
    { happened: [happening('was slow', 'critical'), happening('a backup', null)] },
    400 as Ticks,
  )
  expect(findings.map(({ title, startTicks, durationTicks }) => [title, startTicks, durationTicks])).toEqual([
    ['disk', 100, 300],
    ['queries', 50, 30],
    ['was slow', 10, 20],
  ])
  expect(findings[1]?.facts).toContainEqual(['Began', 'before it was first seen'])
  expect(findings[2]?.facts).toContainEqual(['Times', '2'])
})
