import { expect, test } from 'vitest'
import { placesOf } from '../../capture/archive/saved-capture.ts'
import { formatSides } from '../../capture/client/compare-sides.ts'
import type { Ticks, TickSpan } from '../../base/ticks.ts'
import { DEFAULT_VIEW } from '../url/url.ts'
import { pictureIn, savedAddress } from './saved-view.ts'

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
