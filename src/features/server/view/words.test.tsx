import { describe, expect, it } from 'vitest'
import { FakeServer, healthyServer, troubledServer } from '../../../testing/server/fake-server.ts'
import { describeCluster } from './ClusterView.tsx'
import { describeCredits, describeLowMemory, describeServer } from './words.ts'

const healthy = (await healthyServer()).capture()
const troubled = (await troubledServer(90)).capture()
const now = await healthy.request('server.now', null)
const cluster = await healthy.request('server.cluster', null)

describe('the words of the server', () => {
  it('tell how busy it is', async () => {
    expect(describeServer(now)).toBe(
      'The machine is 19 % busy, this server uses 12 % of its 8 cores; 15.4 GiB of its memory are available. It answers 1,340 requests a second; the recent mean is 2.30 ms.',
    )
    const traffic = { ...now.traffic!, requestsPerSecond: 12.9, oursPerSecond: 12.9 }
    expect(describeServer({ ...now, traffic })).toContain('It answers no requests but ours (12.9 a second);')
    expect(describeServer({ ...now, traffic: { ...traffic, oursPerSecond: null } })).toContain(
      'It answers 12.9 requests a second (ours included);',
    )
    const silent = new FakeServer({ seconds: 0 }).capture()
    expect(describeServer(await silent.request('server.now', null))).toBe('')
  })

  it('tell where credits go', async () => {
    const { credits } = await troubled.request('server.now', null)
    expect(describeCredits(credits!)).toBe('At this rate they are used up in 4 min 8 s.')
    expect(describeCredits({ ...credits!, emptyInMs: null, usedPerSecond: 0 })).toMatch(
      /^At this rate they are full in/,
    )
    expect(describeCredits({ ...credits!, emptyInMs: null, remaining: 0 })).toMatch(/base speed/)
    expect(describeCredits({ ...credits!, emptyInMs: null, remaining: credits!.max })).toBe('They do not get fewer.')
  })

  it('keep words of the server that we do not know', () => {
    const [event] = now.lowMemory!
    expect(describeLowMemory(event!)).toBe('back to normal')
    expect(describeLowMemory({ ...event!, event: 'constructor' })).toBe('constructor')
  })

  it('tell the cluster in a sentence', () => {
    expect(describeCluster(cluster)).toBe('3 nodes, node A leads, term 12. Last change: Leader, elected by 2 of 3.')
    expect(describeCluster({ ...cluster, ownTag: '?' })).toMatch(/no cluster yet/)
    expect(describeCluster({ ...cluster, leader: null, term: null, lastChange: null })).toBe(
      '3 nodes, no leader is known.',
    )
  })
})
