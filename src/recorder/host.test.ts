import { expect, test, vi } from 'vitest'
import type { Ticks } from '../base/ticks.ts'
import { NOTHING_LOST } from '../capture/client/protocol.ts'
import { LocalTabs } from '../ravendb/tabs/local-tabs.ts'
import type { ChannelLike } from '../ravendb/tabs/tabs.ts'
import { FakeServer } from '../testing/server/fake-server.ts'
import { RecorderHost } from './host.ts'
import { refill } from './refill.ts'

/** Counts the channels that are open. */
class CountedTabs extends LocalTabs {
  readonly open = new Map<ChannelLike, string>()

  override openChannel(name: string): ChannelLike {
    const channel = super.openChannel(name)
    const { close } = channel
    this.open.set(channel, name)
    return Object.assign(channel, {
      close: () => {
        this.open.delete(channel)
        close()
      },
    })
  }
}

test('a host that ended has no connection, channel or request, and gives nothing more to what writes down', async () => {
  const fake = new FakeServer({ seconds: 600 })
  const { raven } = fake
  const tabs = new CountedTabs()
  const host = new RecorderHost({ ...raven.env, tabs })
  const taken: string[] = []
  host.server.model.series.tap = (key) => void taken.push(key)
  host.begin(NOTHING_LOST, 1)
  host.watch([...raven.databases].flatMap(([name, state]) => (state === 'loaded' ? [name] : [])).slice(0, 2))
  const open = (): string[] => raven.sockets.filter(({ readyState }) => readyState < 2).map(({ url }) => url)
  await vi.waitFor(
    async () => {
      await fake.pass(1)
      expect(open().filter((url) => url.includes('cluster-dashboard')).length).toBeGreaterThan(1)
      expect(taken).toContain('cpu.process')
    },
    { timeout: 20_000 },
  )
  host.end()
  await fake.pass(1)
  const [takenBefore, callsBefore] = [taken.length, raven.calls.length]
  await fake.pass(30)
  expect({
    open: open(),
    channels: [...tabs.open.values()],
    taken: taken.slice(takenBefore),
    calls: raven.calls.slice(callsBefore).map(({ path }) => path),
  }).toEqual({ open: [], channels: [], taken: [], calls: [] })
}, 30_000)

test('a source of tables that were begun again has a gap with their reason', () => {
  const host = new RecorderHost(new FakeServer({ seconds: 1 }).raven.env)
  const why = { reason: 'not-watched', detail: 'The recorder began again with empty tables.' } as const
  const place = {
    source: 'db:shop',
    path: '/data',
    type: 'Documents',
    kind: 'JournalWrite',
    file: '1.journal',
  } as const
  refill(host.io.store, { t: 'io', ...place, c: [[5], [1], [1], [-1], [-1], [-1]] })
  host.begin({ sources: new Map([['db:shop', 10 as Ticks]]), why, serverSinceMs: null }, 1)
  host.watch(['shop'])
  host.refresh()
  expect(host.state.gaps).toMatchObject([{ source: 'db:shop', lane: null, startTicks: 10, ...why }])
  host.end()
})
