import { expect, test } from 'vitest'
import { placesOf } from '../../capture/archive/saved-capture.ts'
import { formatSides } from '../../capture/client/compare-sides.ts'
import type { Ticks, TickSpan } from '../../base/ticks.ts'
import { DEFAULT_VIEW } from '../url/url.ts'
import { parseLanes } from '../../capture/frame/lanes/chosen.ts'
import { parseSide } from '../../capture/client/compare-sides.ts'
import { formatList, parseList } from '../../capture/client/param-text.ts'
import { lanesOfOthers, pictureIn, savedAddress } from './saved-view.ts'

const range = { startTicks: 2_173_410_906_364_827 as Ticks, endTicks: 2_173_410_966_364_827 as Ticks }

test('a picture has the same sources, range, selection and lanes in the file, under the name that it has when it is opened', () => {
  const sources = ['db:shop', 'db:shop two', 'server']
  const places = placesOf(sources, 'h:1')
  const view = {
    ...DEFAULT_VIEW,
    sources: ['db:shop', 'server'],
    range,
    liveSpan: 10 as TickSpan,
    selection: 'JournalWrite~1~2~3~db:shop|/data/shop',
    clock: 'utc',
    params: {
      'timeline.composed': 'io.journals@db:shop,server.cpu:80,io.syncs@server,io.flushes@db:shop two',
      ...formatSides({ before: { sources: ['db:shop'], range } }),
    },
  } as const
  const address = savedAddress({ panel: 'timeline', view }, places)
  const opened = pictureIn('copy (2).rookery', { address, presets: '' })
  const shop = 'file:copy (2).rookery/h_1/shop'
  expect(opened.panel).toBe('timeline')
  expect(opened.view).toMatchObject({ range, clock: 'utc', sources: [shop, 'file:copy (2).rookery/h_1/server'] })
  expect(opened.view.selection).toBe(`JournalWrite~1~2~3~${shop}|/data/shop`)
  expect(opened.view.params['timeline.composed']).toBe(
    `io.journals@${shop},server.cpu:80,io.syncs@file:copy (2).rookery/h_1/server,io.flushes@file:copy (2).rookery/h_1/shop two`,
  )
  expect(opened.view.params['compare.before']).toContain(`copy (2).rookery/h_1/shop`)
})

test('lanes of other servers are left out, as the file has nothing of them', () => {
  const places = placesOf(['db:Orders', 'server'], 'h:1')
  const saved = (composed: string): string | undefined => {
    const view = { ...DEFAULT_VIEW, range, params: { 'timeline.composed': composed } }
    return pictureIn('a.rookery', { address: savedAddress({ panel: 'timeline', view }, places), presets: '' }).view
      .params['timeline.composed']
  }
  const other = 'io.journals!db2:8080@db:Orders,server.cpu!db2:8080'
  expect(saved(`${other},io.journals:80f@db:Orders,server.cpu`)).toBe(
    'io.journals:80f@file:a.rookery/h_1/Orders,server.cpu',
  )
  // An empty text would be the preset of the panel.
  expect(saved(other)).toBe('-')
  expect(saved('-')).toBe('-')
  expect(lanesOfOthers({ params: { 'timeline.composed': `${other},server.cpu`, 'io.find': other } })).toBe(2)
})

test('names with what lists are written with are found in a picture, and stay whole when it is opened', () => {
  const from = 'file:10%, all.zip/a_1/shop'
  const places = placesOf([from], 'h:1')
  const view = {
    ...DEFAULT_VIEW,
    range,
    sources: [from],
    selection: `JournalWrite~1~2~3~${from}|/data`,
    params: {
      'timeline.composed': 'io.journals@file:10%25%2C all.zip/a_1/shop,server.cpu',
      'indexing.open': formatList(new Set([`${from}|A`, `${from}|B, 2%`])),
      'indexing.focus': `${from}|A`,
      ...formatSides({ before: { sources: [from], range } }),
    },
  }
  const address = savedAddress({ panel: 'timeline', view }, places)
  const { sources, selection, params } = pictureIn('5%, copy.rookery', { address, presets: '' }).view
  const to = 'file:5%, copy.rookery/a_1/shop'
  expect(sources).toEqual([to])
  expect(selection).toBe(`JournalWrite~1~2~3~${to}|/data`)
  expect(parseLanes(params['timeline.composed'], []).map(({ id, source }) => [id, source])).toEqual([
    ['io.journals', to],
    ['server.cpu', null],
  ])
  expect([...parseList(params['indexing.open'])]).toEqual([`${to}|A`, `${to}|B, 2%`])
  expect(params['indexing.focus']).toBe(`${to}|A`)
  expect(parseSide(params, 'before')).toEqual({ sources: [to], range })
})
