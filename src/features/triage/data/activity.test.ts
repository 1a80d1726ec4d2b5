import { emptyModel, type OverviewWidget } from '../../../testing/server/server-model.ts'
import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { activityOf } from './activity.ts'
import type { TriageItem } from '../contract/findings.ts'
import type { LowMemoryEvent, ServerModel } from '../../../feeds/server/contract.ts'

const NOW = 2e15
const at = (secondsAgo: number): Ticks => (NOW - secondsAgo * TICKS_PER_SECOND) as Ticks

const overview = (online: boolean): OverviewWidget => ({
  documents: 1,
  indexes: 0,
  erroredIndexes: 0,
  indexingErrors: 0,
  alerts: 0,
  hints: 0,
  online,
  disabled: false,
  irrelevant: false,
})

const states = (parts: Readonly<Record<string, boolean>>) =>
  new Map(Object.entries(parts).map(([name, online]) => [name, overview(online)]))

const traffic = (requestsPerSecond: number, writesPerSecond: number) => ({
  requestsPerSecond,
  averageMs: null,
  writesPerSecond,
  writeBytesPerSecond: 0,
})

const lowEvent = (secondsAgo: number, isLow: boolean, isSimulated = false): LowMemoryEvent => ({
  atTicks: at(secondsAgo),
  event: isLow ? 'LowMemHandler' : 'BackToNormal',
  isLow,
  isSimulated,
  freeBytes: null,
})

const textsOf = (model: ServerModel): string[] => activityOf(model, NOW as Ticks, null).happened.map(({ text }) => text)

describe('busiest now', () => {
  it('is not known before a frame reported it, and then loaded databases with any activity', () => {
    const model = emptyModel()
    expect(activityOf(model, null, null)).toMatchObject({ busiest: null, moreBusy: 0, happened: [] })
    const names = Array.from({ length: 8 }, (_, i) => `db${i}`)
    model.databases.overview(states(Object.fromEntries(names.map((name) => [name, name !== 'db7']))), at(9))
    expect(activityOf(model, NOW as Ticks, null).busiest).toBeNull()
    model.databases.traffic(new Map(names.map((name, i) => [name, traffic(i === 0 ? 0 : i, i === 3 ? 900 : 0)])))
    model.databases.indexing(new Map([['db1', { indexedPerSecond: 40, mappedPerSecond: 2, reducedPerSecond: 1 }]]))
    const { busiest, moreBusy } = activityOf(model, NOW as Ticks, 20_000)
    expect(busiest?.map(({ name }) => name)).toEqual(['db3', 'db1', 'db6', 'db5', 'db4'])
    expect(busiest?.[0]).toEqual({
      name: 'db3',
      requestsPerSecond: 3,
      oursPerSecond: 0,
      writesPerSecond: 900,
      mapsPerSecond: null,
      reducesPerSecond: null,
      countedOverMs: null,
    })
    // Reduces are another step: an entry that is mapped and reduced is one entry.
    expect(busiest?.[1]).toMatchObject({ mapsPerSecond: 42, reducesPerSecond: 1 })
    // db0 does nothing, and db7 is not loaded: what was reported of it is old.
    expect(moreBusy).toBe(1)
  })

  it('is not made of requests of this browser, which are named where others are among them', () => {
    const model = emptyModel()
    const own = { most: (name: string) => (name === 'read' ? 0 : 6), count: () => 0, countAll: () => null }
    model.own = { ...own, isKnown: () => true }
    model.databases.overview(states({ ours: true, both: true, read: true }), at(9))
    // Six requests in four seconds: the server's figure is 2, of which three quarters are shown.
    model.databases.traffic(
      new Map([
        ['ours', traffic(1.5, 0)],
        ['both', traffic(6, 0)],
        ['read', traffic(1.5, 0)],
      ]),
    )
    model.databases.indexing(new Map())
    expect(activityOf(model, NOW as Ticks, null).busiest).toMatchObject([
      { name: 'both', requestsPerSecond: 6, oursPerSecond: 1.5 },
      { name: 'read', requestsPerSecond: 1.5, oursPerSecond: 0 },
    ])
  })

  it('is not made of requests either that a page sent before it was reloaded', () => {
    const model = emptyModel()
    model.own = { most: () => 0, count: () => 0, countAll: () => null, isKnown: () => false }
    model.databases.overview(states({ read: true, written: true }), at(9))
    model.databases.traffic(
      new Map([
        ['read', traffic(3, 0)],
        ['written', traffic(3, 1)],
      ]),
    )
    model.databases.indexing(new Map())
    expect(activityOf(model, NOW as Ticks, null).busiest).toMatchObject([
      { name: 'written', requestsPerSecond: 3, oursPerSecond: null },
    ])
  })
})

describe('what happened', () => {
  it('reports states that changed, together where many did', () => {
    const model = emptyModel()
    const names = ['a', 'b', 'c', 'd']
    const all = (online: boolean) => states(Object.fromEntries(names.map((name) => [name, online])))
    model.databases.overview(all(true), at(5000))
    model.databases.overview(all(false), at(4000))
    model.databases.overview(new Map([...all(false), ['b', overview(true)]]), at(100))
    model.databases.overview(new Map([...all(false), ['b', overview(true)], ['c', overview(true)]]), at(30))
    expect(activityOf(model, NOW as Ticks, null).happened).toMatchObject([
      { text: 'c and b were loaded within 2 min.', endTicks: at(30), startTicks: at(30) },
      { text: 'a, b and 2 more were unloaded.', link: { panel: 'databases', params: {} }, startTicks: at(4000) },
    ])
  })

  it('leads from one that changed to it', () => {
    const model = emptyModel()
    model.databases.overview(states({ a: true, b: true }), at(5000))
    model.databases.overview(states({ a: true, b: false }), at(4000))
    model.databases.overview(states({ b: false }), at(40))
    expect(activityOf(model, NOW as Ticks, null).happened).toMatchObject([
      { text: 'a was deleted.', link: { panel: 'databases', params: {} } },
      {
        text: 'b was unloaded.',
        link: { panel: 'database', database: 'b', params: {} },
      },
    ])
  })

  it('reports starts of the server, and nothing older than a day', () => {
    const model = emptyModel()
    model.restarts = [
      { startTicks: at(600), seen: true },
      { startTicks: at(7200), seen: false },
      { startTicks: at(90_000), seen: false },
    ]
    expect(textsOf(model)).toEqual(['The server was restarted.', 'The server started.'])
  })

  it('reports when memory was low from the log of the server, once it is over', () => {
    const model = emptyModel()
    model.lowMemory = {
      thresholdText: null,
      events: [
        lowEvent(5, true),
        lowEvent(400, false),
        lowEvent(450, true),
        lowEvent(460, true),
        lowEvent(800, false, true),
        lowEvent(900, true, true),
      ],
    }
    expect(activityOf(model, NOW as Ticks, null).happened).toMatchObject([
      { text: 'The server was low on memory.', startTicks: at(460), endTicks: at(400), level: 'warning' },
    ])
  })

  it('shows what was found and is over, and what was not reached', () => {
    const model = emptyModel()
    const found = {
      id: 'slow',
      rule: 'slow',
      level: 'critical',
      title: 'A write took 9 s.',
      sinceTicks: at(300),
      sinceIsBound: false,
      link: { panel: 'io', params: {}, sources: ['db:a'], range: null },
    } as unknown as TriageItem
    model.findings.note([found], at(290))
    expect(textsOf(model)).toEqual([])
    model.findings.note([], at(200))
    for (const secondsAgo of [895, 890]) model.coverage.received(at(secondsAgo))
    model.coverage.ended('server-stopped', 'gone')
    for (let secondsAgo = 700; secondsAgo >= 0; secondsAgo -= 5) model.coverage.received(at(secondsAgo))
    const { happened, watchedSinceTicks } = activityOf(model, NOW as Ticks, null)
    expect(happened).toMatchObject([
      { text: 'A write took 9 s.', level: 'critical', startTicks: at(300), endTicks: at(290), link: { panel: 'io' } },
      { text: 'The server could not be reached.', startTicks: at(890), endTicks: at(700) },
    ])
    expect(watchedSinceTicks).toBe(at(700))
  })

  it('reports a stall, a restart and a silence once, at their own time, and not as long as they are findings', () => {
    const model = emptyModel()
    const finding = (rule: string, title: string, secondsAgo: number): TriageItem =>
      ({
        id: rule,
        rule,
        level: 'warning',
        title,
        sinceTicks: at(secondsAgo),
        sinceIsBound: false,
        link: null,
      }) as never
    for (const secondsAgo of [900, 899]) model.coverage.received(at(secondsAgo))
    // Nothing for 20 s: the connection stayed open. Then the server was gone for 40 s.
    model.coverage.ended('server-unresponsive', 'still')
    for (let secondsAgo = 879; secondsAgo >= 800; secondsAgo--) model.coverage.received(at(secondsAgo))
    model.coverage.ended('server-stopped', 'gone')
    for (let secondsAgo = 760; secondsAgo >= 0; secondsAgo--) model.coverage.received(at(secondsAgo))
    model.restarts = [{ startTicks: at(770), seen: true }]
    const found = [
      finding('server-was-unresponsive', 'The server did not answer for 20 s, 9 min ago.', 899),
      finding('server-unresponsive', 'The server has been unresponsive for 35 s.', 800),
      finding('restart', 'The server was restarted 10 min ago.', 770),
      finding('clock-jump', 'The server’s clock went back by 5 min.', 700),
    ]
    model.findings.note(found, at(790))
    model.findings.note([found[3]!], at(100))
    model.findings.note([], at(50))
    expect(activityOf(model, NOW as Ticks, null).happened).toMatchObject([
      { text: 'The server’s clock went back by 5 min.', startTicks: at(700), endTicks: at(700) },
      { text: 'The server could not be reached.', startTicks: at(800), endTicks: at(760) },
      { text: 'The server was restarted.' },
      { text: 'The server was unresponsive.', startTicks: at(899), endTicks: at(879) },
    ])
  })

  it('reports equal events of one time once, in the past tense', () => {
    const model = emptyModel()
    const query = (id: string, secondsAgo: number): TriageItem =>
      ({
        id,
        rule: 'long-queries',
        level: 'warning',
        title: 'A query on “a” has been running for 59.1 s.',
        past: 'A query on “a” ran long.',
        sinceTicks: at(secondsAgo),
        sinceIsBound: false,
        link: null,
      }) as never
    model.findings.note([query('1', 4000)], at(3900))
    model.findings.note([], at(3800))
    model.findings.note([query('2', 300), query('3', 290), query('4', 280)], at(200))
    model.findings.note([], at(100))
    expect(activityOf(model, NOW as Ticks, null).happened).toMatchObject([
      { text: 'A query on “a” ran long.', times: 3, startTicks: at(300), endTicks: at(200) },
      { text: 'A query on “a” ran long.', times: 1, startTicks: at(4000), endTicks: at(3900) },
    ])
  })
})
