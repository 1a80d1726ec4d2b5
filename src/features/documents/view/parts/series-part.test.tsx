import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPanel } from '../../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { OpenedDocument, SeriesEntry } from '../../contract.ts'
import { SeriesPart } from './SeriesPart.tsx'

const opened: OpenedDocument = {
  id: 'rooms/1',
  changeVector: 'A:1',
  modified: '2026-11-27T08:00:00.0000000Z',
  collection: 'Rooms',
  text: '{}',
  bytes: 2,
  flags: ['HasTimeSeries'],
  attachments: [],
  counters: [],
  series: ['Air'],
}

it('draws any value of a series, and counts the entries that lack it by themselves', async () => {
  const at = (second: number): string => `2026-11-27T08:00:0${String(second)}.0000000Z`
  const entries: readonly SeriesEntry[] = [
    { at: at(0), tag: null, values: ['20', '5'] },
    { at: at(1), tag: null, values: ['21'] },
    { at: at(2), tag: null, values: ['22', '7'] },
  ]
  const capture = stubCapture()
  capture.responses.set('documents.series', () => [{ name: 'Air', entries: 3, from: at(0), to: at(2) }])
  capture.responses.set('documents.seriesPage', () => ({ total: 3, entries }))
  renderPanel(<SeriesPart database="Shop" opened={opened} onChanged={() => undefined} />, capture)
  expect(await screen.findByText('Value 1, from 20 to 22')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Value of the chart'), { target: { value: '1' } })
  expect(await screen.findByText('Value 2, from 5 to 7; 1 of them without it')).toBeTruthy()
})

it('draws values whose difference is more than a double holds, and says them by every digit', async () => {
  const at = (second: number): string => `2026-11-27T08:00:0${String(second)}.0000000Z`
  const entries = ['-1.7e308', '1.70e308', '9007199254740993'].map((value, i): SeriesEntry => ({
    at: at(i),
    tag: null,
    values: [value],
  }))
  const capture = stubCapture()
  capture.responses.set('documents.series', () => [{ name: 'Air', entries: 3, from: at(0), to: at(2) }])
  capture.responses.set('documents.seriesPage', () => ({ total: 3, entries }))
  renderPanel(<SeriesPart database="Shop" opened={opened} onChanged={() => undefined} />, capture)
  const chart = await screen.findByRole('img', { name: /Air|Value/ })
  expect(chart.getAttribute('aria-label')).toBe('Value 1 of Air from -1.7e308 to 1.70e308')
  expect(chart.innerHTML).toContain(',2.0')
  expect(chart.innerHTML).not.toMatch(/NaN|Infinity/)
})

it('draws a long series whole, each group from its lowest to its highest', async () => {
  const [from, to] = ['2026-11-01T00:00:00.0000000Z', '2026-11-12T13:46:39.0000000Z']
  const capture = stubCapture()
  capture.responses.set('documents.series', () => [{ name: 'Air', entries: 1_000_000, from, to }])
  capture.responses.set('documents.seriesPage', () => ({ total: 1_000_000, entries: [] }))
  capture.responses.set('documents.seriesGroups', () => ({
    spanMs: 2_000_000,
    groups: [
      { at: from, lowest: ['1', '-7'], highest: ['3', '9'] },
      { at: to, lowest: ['2', '0'], highest: ['12345678901234567890', '1'] },
    ],
  }))
  renderPanel(<SeriesPart database="Shop" opened={opened} onChanged={() => undefined} />, capture)
  expect(
    await screen.findByText(
      'Value 1, from 1 to 12345678901234567890; the lowest and the highest of every 33 min 20 s of 1,000,000 entries',
    ),
  ).toBeTruthy()
  expect(
    screen
      .getByRole('img', { name: /Value 1/ })
      .querySelector('polyline')
      ?.getAttribute('points')
      ?.split(' '),
  ).toHaveLength(4)
})
