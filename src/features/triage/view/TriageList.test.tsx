import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { TriageList } from './TriageList.tsx'

afterEach(cleanup)

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
