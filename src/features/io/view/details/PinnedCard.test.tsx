import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeCapture } from '../../../../testing/fake-capture.ts'
import { openMenu } from '../../../../testing/open-menu.ts'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import type { IoCard } from '../../../../feeds/io/contract/rows.ts'
import { PinnedCard } from './PinnedCard.tsx'

const LIVE = fakeCapture()
const event = LIVE.data.events.find(({ kind }) => kind === 'JournalWrite')!

function show(parts: Partial<IoCard>): HTMLElement {
  const card = {
    ...event,
    source: 'db:shop',
    environment: 'Documents',
    laneType: 'Documents',
    laneLabelIsReal: true,
    path: '/data/shop',
    file: '0.journal',
    overlaps: [],
    overlapCount: 0,
    rank: 1,
    rankOf: 2,
    fileSizeBytes: null,
    compressedBytes: null,
    acceleration: null,
    json: '{}',
    ...parts,
  } as unknown as IoCard
  const range = { startTicks: event.startTicks, endTicks: event.startTicks }
  renderPanel(
    <PinnedCard
      selected={card}
      card={card}
      known
      error={null}
      pinned={0}
      range={range}
      clock="utc"
      manySources={false}
      onSelect={() => undefined}
    />,
    fakeCapture(),
  )
  return screen.getByRole('region', { name: 'Selected event' })
}

it.each(['db:shop', 'file:io.json'])('offers the commit of a journal write of %s', async (source) => {
  const card = show({ source })
  expect(await within(card).findByRole('button', { name: 'Show the commit' })).toBeTruthy()
})

it.each([{ kind: 'DataFlush' }, { laneType: 'Index' }])('says nothing of commits where there is none: %j', (parts) => {
  const card = show({ source: 'file:io.json', ...parts })
  expect(within(card).queryByRole('button', { name: 'Show the commit' })).toBeNull()
})

it.each([
  [{}, /Flush journals.*Sync data file/],
  [{ laneType: 'Index', laneLabel: 'Orders/ByCompany' }, /Pause/],
])('offers what can be done to the storage of a live event: %j', async (parts, offered) => {
  const menu = openMenu(/^Act on it/, show(parts))
  await vi.waitFor(() => expect(menu.textContent).toMatch(offered))
})

it.each([
  { source: 'file:io.json' },
  { source: 'server' },
  { laneType: 'Configuration' },
  { laneType: 'Index', laneLabelIsReal: false },
])('offers nothing where it is not known on what: %j', (parts) => {
  expect(within(show(parts as never)).queryByRole('button', { name: /^Act on it/ })).toBeNull()
})
