import { expect, test, vi } from 'vitest'
import { NOTHING_LOST } from '../capture/client/protocol.ts'
import { LocalTabs } from '../ravendb/tabs/local-tabs.ts'
import type { ChannelLike } from '../ravendb/tabs/tabs.ts'
import { FakeServer } from '../testing/server/fake-server.ts'
import { RecorderHost } from './host.ts'

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
