import { expect, it, vi } from 'vitest'
import { IoFeed } from '../feeds/io/data/feed.ts'
import type { SampleReport, SampleRequest } from '../capture/client/sample.ts'
import { serveSample, warmUp } from './warm-up.ts'

it('reads its sample into tables of its own and computes a first picture', async () => {
  const reader = vi.spyOn(IoFeed.prototype, 'reader')
  await warmUp()
  for (const { value } of reader.mock.results) expect(value).toHaveProperty('rule')
  const rows = reader.mock.contexts.map((feed) => (feed as IoFeed).byteLength().rows)
  expect(rows).toEqual([2100, 2100, 2100])
  expect(new Set(reader.mock.contexts).size).toBe(3)
  reader.mockRestore()
})

it('responds over a port to a page that shows the sample', async () => {
  const { port1, port2 } = new MessageChannel()
  const reports: SampleReport[] = []
  const next = (): Promise<SampleReport> =>
    new Promise((resolve) => (port1.onmessage = ({ data }: MessageEvent<SampleReport>) => resolve(data)))
  const first = next()
  serveSample(port2, await warmUp())
  reports.push(await first)
  expect(reports[0]).toMatchObject({ type: 'ready', source: 'file:warm-up.json' })
  const request = async (id: number, name: SampleRequest['name'], params: unknown): Promise<SampleReport> => {
    const response = next()
    port1.postMessage({ id, name, params } satisfies SampleRequest)
    return response
  }
  const lanes = await request(1, 'io.lanes', { sources: ['file:warm-up.json'], find: '', page: 0, openKinds: [] })
  expect(lanes).toMatchObject({ type: 'response', id: 1, value: { all: 3 } })
  expect(await request(2, 'host.memory', null)).toMatchObject({ type: 'failure', id: 2 })
  port1.close()
})
