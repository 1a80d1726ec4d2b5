import { expect, it } from 'vitest'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { ServerClock } from '../../../capture/worker/server-clock.ts'
import { FakeRaven } from '../../../testing/fake-raven.ts'
import { readInto, requestsOf } from '../../../testing/filled-feeds.ts'
import { recordedText } from '../../../testing/recorded.ts'
import { laterStacks } from './later-stacks.ts'

const SAMPLE = recordedText('7.1', 'stack-trace-writing.json')

it('reads a file when its code is there, and tells what watched before', async () => {
  const feed = laterStacks({ tabs: null })
  let changes = 0
  const watch = feed.watch({
    source: 'server',
    ref: { kind: 'server' },
    governor: new Governor(new FakeRaven().env),
    gapLog: new GapLog(),
    clock: new ServerClock(),
    lostFromTicks: null,
    report: () => {},
    received: () => {},
    changed: () => changes++,
  })
  expect(feed.recognises(new Set(['$.Results[].StackTrace']))).toBe(true)
  expect([feed.extent(), feed.summary(), feed.byteLength().rows]).toEqual([null, [], 0])
  expect(() => readInto(feed, 'file:a', SAMPLE)).toThrow('not prepared')

  await feed.prepare?.()
  readInto(feed, 'file:a', SAMPLE)
  expect(feed.summary()).toMatchObject([{ feed: 'stacks', source: 'file:a', count: 1 }])
  const request = requestsOf([feed])
  expect((await request('stacks.state', null)).snapshots).toHaveLength(1)

  await request('stacks.series', { source: 'server', everyMs: 5000, count: 2 })
  expect(changes).toBeGreaterThan(0)
  const before = changes
  watch?.close()
  await request('stacks.stop', null)
  expect(changes).toBe(before)
})
