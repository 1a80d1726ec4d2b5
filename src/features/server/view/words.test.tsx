import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { generateServer, SERVER_NOW } from '../../../testing/generated-server.ts'
import { describeCluster } from './ClusterView.tsx'
import { describeAge, describeCredits, describeLowMemory, describeServer, describeSince, formatAgo } from './words.ts'

const healthy = generateServer('healthy')
const troubled = generateServer('trouble')

describe('the words of the server', () => {
  it('tell how busy it is', () => {
    expect(describeServer(healthy.now)).toBe(
      'The machine is 19 % busy, 12 % with this server on 8 cores; 15.4 GiB of its memory are available. It answers 1,340 requests a second; the recent mean is 2.30 ms.',
    )
    expect(describeServer(generateServer('silent').now)).toBe('')
  })

  it('tell since when, and that it may be longer', () => {
    const [first, , third] = troubled.triage.items
    expect(describeSince(first!, SERVER_NOW, 'utc')).toBe('since 04:02:30 (12 min)')
    expect(describeSince(third!, SERVER_NOW, 'utc')).toBe('since before 02:39:30')
    expect(describeSince({ ...first!, sinceTicks: null }, SERVER_NOW, 'utc')).toBe('start unknown')
    expect(describeSince(first!, null, 'utc')).toBe('since 2026-11-20 04:02:30')
    expect(formatAgo(SERVER_NOW, (SERVER_NOW + 30_000_000) as Ticks)).toBe('3 seconds')
  })

  it('tell where credits go', () => {
    const credits = troubled.now.credits!
    expect(describeCredits(credits)).toBe('At this rate they are used up in 4 min 8 s.')
    expect(describeCredits({ ...credits, emptyInMs: null, usedPerSecond: 0 })).toMatch(/^At this rate they are full in/)
    expect(describeCredits({ ...credits, emptyInMs: null, remaining: 0 })).toMatch(/base speed/)
    expect(describeCredits({ ...credits, emptyInMs: null, remaining: credits.max })).toBe('They do not get fewer.')
  })

  it('keep words of the server that we do not know', () => {
    const [event] = healthy.now.lowMemory!
    expect(describeLowMemory(event!)).toBe('back to normal')
    expect(describeLowMemory({ ...event!, event: 'constructor' })).toBe('constructor')
  })

  it('tell the cluster in a sentence', () => {
    expect(describeCluster(healthy.cluster)).toBe(
      '3 nodes, node A leads, term 12. Last change: Leader, elected by 2 of 3.',
    )
    expect(describeCluster({ ...healthy.cluster, ownTag: '?' })).toMatch(/no cluster yet/)
    expect(describeCluster({ ...healthy.cluster, leader: null, term: null, lastChange: null })).toBe(
      '3 nodes, no leader is known.',
    )
  })

  it('tell the age of figures only where it matters', () => {
    expect(describeAge(1000, 3000)).toBeNull()
    expect(describeAge(null, 3000)).toBeNull()
    expect(describeAge(0, 134_000)).toBe('2 min 14 s')
  })
})
