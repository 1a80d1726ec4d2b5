import { emptyModel, recordedCluster, recordedModel, unknownCluster } from '../../../testing/server/server-model.ts'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan } from '../../../base/ticks.ts'
import { RECORDED_LINES } from '../../../testing/recorded.ts'
import type { TriageItem } from '../contract/findings.ts'
import { TriageJudge } from './judge.ts'
import {
  NO_OTHERS,
  type HeldUpCommits,
  type OtherFacts,
  type SlowCommits,
  type SlowWrite,
  type TriageFacts,
} from './facts.ts'
import { CHECK_RULES } from './answer-rules.ts'
import { TRIAGE_RULES } from './triage-rules.ts'
import type {
  IndexWork,
  KnownWork,
  Lacking,
  ListedState,
  RunningQuery,
  ServerAlert,
  ServerNow,
  ServerWatch,
  VolumeGrowth,
} from '../../../feeds/server/contract.ts'

type Judged = ReturnType<TriageJudge['judge']>

const NOW = 2_000_000_000_000_000 as Ticks
const NOW_MS = 1_777_000_000_000
const GB = 1024 ** 3
const MB = 1024 ** 2
const ago = (ms: number): Ticks => (NOW - ms * TICKS_PER_MS) as Ticks

const WATCH: ServerWatch = {
  role: 'leader',
  recording: false,
  phase: 'live',
  message: '',
  retryAtMs: null,
  lastReceivedMs: NOW_MS,
  unresponsive: null,
  withheld: null,
  lacking: [],
  kept: { works: true, message: '', savedMs: null },
}

const NOTHING = { mean: Number.NaN, min: Number.NaN, max: Number.NaN, count: 0 }

/** Figures that a real server reported, edited to be healthy in every respect. */
function well(): ServerNow {
  const now = recordedModel(NOW_MS).now(WATCH, NOW_MS)
  return {
    ...now,
    server: { ...now.server, licence: { type: 'None', status: 'AGPL - Open Source', expired: false } },
    lowMemory: [],
  }
}

const WELL = well()

type Parts = Omit<Partial<TriageFacts>, 'now'> & { readonly now?: Partial<ServerNow> }

const judge = (parts: Parts = {}): Judged => new TriageJudge().judge(1, factsWith(parts))

function factsWith(parts: Parts): TriageFacts {
  const facts: TriageFacts = {
    nowTicks: NOW,
    nowMs: NOW_MS,
    recent: () => NOTHING,
    states: new Map([
      ['orders', { state: 'online', error: null, indexingStopped: null, sinceTicks: ago(1e6), sinceIsBound: true }],
    ]),
    statesTicks: ago(20_000),
    indexErrors: [],
    erroredIndexesOf: (name) => {
      const known = parts.indexErrors?.find(({ database }) => database === name)
      return known === undefined ? 0 : known.erroredIndexes
    },
    alerts: [],
    failures: new Map(),
    jumps: [],
    replaced: null,
    silences: [],
    cluster: recordedCluster(),
    others: NO_OTHERS,
    queries: [],
    queriesTicks: NOW,
    work: [],
    unpolled: { waiting: [], resting: 0, unloaded: 0 },
    workEveryMs: 20_000,
    writes: [],
    answers: null,
    isDetailed: false,
    knownSince: () => null,
    ...parts,
    now: { ...WELL, ...parts.now },
  }
  return facts
}

const found = (triage: Judged, rule: string) => triage.items.filter((item) => item.rule === rule)
const only = (triage: Judged, rule: string) => {
  const [item, ...rest] = found(triage, rule)
  expect(rest).toEqual([])
  return item
}

const memory = (parts: Partial<NonNullable<ServerNow['memory']>>) => ({ memory: { ...WELL.memory!, ...parts } })
const volume = (parts: Partial<ServerNow['volumes'][number]>) => ({
  volumes: [{ ...WELL.volumes[0]!, totalBytes: (500 * GB) as Bytes, freeBytes: (100 * GB) as Bytes, ...parts }],
})
const alert = (parts: Partial<ServerAlert>): ServerAlert => ({
  id: 'a',
  createdTicks: ago(60_000),
  type: 'AlertRaised',
  kind: 'X',
  severity: 'Warning',
  title: 'Something',
  message: null,
  database: null,
  exception: null,
  ...parts,
})
const lacking = (kind: Lacking['kind']): Lacking => ({
  kind,
  what: 'network',
  endpoint: '/x',
  message: 'It needs Operator.',
  error: null,
})
const QUERY: RunningQuery = {
  database: 'a',
  index: 'collection/X',
  id: 7,
  query: 'from X',
  startTicks: null,
  runningMs: 0,
  isStreaming: false,
  waitsForIndex: false,
  start: 0,
  pageSize: null,
}
const WORK: KnownWork = {
  database: 'a',
  atTicks: NOW,
  indexesTicks: NOW,
  statesTicks: NOW,
  isPast: false,
  counts: null,
  indexes: [],
  states: [],
  waiting: 0,
  mergerTimes: [],
  operations: null,
  merger: { spanMs: 60_000, transactions: 100, operations: 1000, busyMs: 1000, longestMs: 50 },
}
const credits: NonNullable<ServerNow['credits']> = {
  atTicks: NOW,
  remaining: 100,
  max: 576,
  gainedPerSecond: 0.02,
  usedPerSecond: 0.01,
  emptyInMs: null,
  backgroundThreshold: 20,
  backgroundReleaseAt: 30,
  failoverThreshold: 10,
  failoverReleaseAt: 15,
  consequences: [],
}

describe('triage', () => {
  it.each(RECORDED_LINES)('is calm about what a healthy %s reported, at whatever use of its CPU', (line) => {
    const model = recordedModel(NOW_MS, line, 'DatabaseOverview')
    const triage = judge({ now: { ...model.now(WATCH, NOW_MS), cpu: { ...WELL.cpu!, machinePercent: 100 } } })
    expect(triage).toMatchObject({ calm: true, items: [] })
    expect(triage.sentence).toMatch(/^No issues found by \d+ of \d+ checks: .*CPU at 100 %/)
  })

  it('does not call a server well of which it has no figures', () => {
    const triage = judge({ now: { ...WELL, databases: null, cpu: null, traffic: null } })
    expect(triage).toMatchObject({ calm: false, sentence: 'No figures from the server yet.' })
  })

  it('has no green tick before all that can be judged at once is judged', () => {
    const judge = new TriageJudge()
    const at = (seconds: number, parts: Parts = {}) =>
      judge.judge(1, factsWith({ isDetailed: true, ...parts, nowTicks: (NOW + seconds * TICKS_PER_SECOND) as Ticks }))
    const all = TRIAGE_RULES.length
    const first = at(0, { now: { gc: null, memory: null }, queries: null })
    expect(first).toMatchObject({ calm: false, checking: { all } })
    expect(first.sentence).toContain(`Checking: ${first.checking?.done ?? Number.NaN} of ${all}. `)
    expect(first.sentence).not.toContain('No issues found')
    const second = at(2, { now: { gc: null } })
    expect(second.checking?.done).toBeGreaterThan(first.checking?.done ?? Number.NaN)
    // The panel I/O, which two rules need, is not waited for.
    expect(at(4)).toMatchObject({ calm: true, checking: null })
    // Trouble is not held back.
    const troubled = at(6, { now: { gc: null, ...volume({ freeBytes: 1e6 as Bytes }) } })
    expect(troubled.sentence).toMatch(/^The disk .* Checking: \d+ of \d+\.$/)
    // Figures that never come are not waited for either, nor those that no right lets one see, nor those that are not
    // collected now.
    at(10, { now: { gc: null } })
    expect(at(31, { now: { gc: null } })).toMatchObject({ calm: true, checking: null })
    at(40)
    const watch = { ...WATCH, lacking: [lacking('right')] }
    expect(at(41, { now: { gc: null, watch } }).checking).toBeNull()
    expect(at(42, { now: { gc: null }, isDetailed: false }).checking).toBeNull()
  })

  it('does not count as judged what needs a longer history than there is, and says how long it is', () => {
    const extent = { startTicks: ago(40_000), endTicks: NOW }
    const young = judge({ now: { extent, ...volume({ shrinksBytesPerSecond: null, fullInMs: null }) } })
    expect(young.unknown.filter(({ needsHistory }) => needsHistory)).toMatchObject([
      { rule: 'cpu-busy', why: 'It needs 90 samples of the last 2 minutes, and has 0.' },
      { rule: 'disk-full', why: 'There is space now. The forecast needs figures of 10 min, and has those of 40.0 s.' },
    ])
    const recent = () => ({ mean: 10, min: 10, max: 10, count: 100 })
    const old = judge({ recent, now: volume({ shrinksBytesPerSecond: 0, fullInMs: null }) })
    expect(old.unknown.some(({ needsHistory }) => needsHistory)).toBe(false)
    // A forecast says by how much history it is made, and who takes the space.
    const falls = volume({ shrinksBytesPerSecond: 10 * 1024 ** 2, shrinksOverMs: 720_000, fullInMs: 3e6 })
    const soon = judge({ now: falls })
    expect(only(soon, 'disk-full')?.evidence.at(-1)).toBe('It shrinks by 10.0 MiB/s, by figures of 12 min.')
  })

  it('says who fills a disk: which databases, and how much is not of their data', () => {
    const words = (growth: Partial<VolumeGrowth>) => {
      const all = { overMs: 720_000, lostBytes: 480 * MB, ravenBytes: 420 * MB, databases: [], ...growth }
      return only(judge({ now: volume({ fullInMs: 3e6, growth: all }) }), 'disk-full')?.evidence.slice(1)
    }
    const databases = [
      { database: 'demo', bytes: 400 * MB },
      { database: 'shop', bytes: 20 * MB },
      { database: 'idle', bytes: 100 },
    ]
    expect(words({ databases })).toEqual([
      'In 12 min 480 MiB of it were taken.',
      'Data of RavenDB grew by 420 MiB: “demo” 400 MiB, “shop” 20.0 MiB.',
      'The other 60.0 MiB are journals that wait for a data sync, or not of this server.',
    ])
    expect(words({ ravenBytes: 0, databases })?.at(-1)).toMatch(
      /did not grow: what fills the disk is journals that wait for a data sync, or not/,
    )
    // Figures of databases and volumes come at different moments.
    expect(words({ databases: [{ database: 'demo', bytes: 430 * MB }] })?.[1]).toBe(
      'Data of RavenDB grew by 420 MiB; by databases, whose sizes are read at other moments: “demo” 430 MiB.',
    )
    expect(words({ databases: null })?.[1]).toContain('of which databases is known after a while')
    expect(words({ lostBytes: -5 * MB })).toEqual([])
  })

  it('says of each rule why it matters, and what could not be judged', () => {
    const { rules, unknown } = judge({ queries: null, work: null })
    expect(rules).toHaveLength(TRIAGE_RULES.length)
    expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length)
    expect(rules.every(({ reason, title }) => reason.length > 40 && reason.endsWith('.') && title !== '')).toBe(true)
    expect(unknown.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['index-trouble', 'slow-writes', 'long-queries']),
    )
  })

  it.each([
    [0, 'critical', 'Another server answers at this address, without any database.'],
    [4, 'warning', 'Another server answers at this address.'],
  ])('another server with %i databases answers where one with 4 was', (total, level, title) => {
    const databases = { total, online: 0, disabled: 0, offline: total, indexes: 0, alerts: 0 }
    const replaced = { atMs: 0, atTicks: ago(60_000), version: '7.1.5', databases: 4 }
    const { items } = judge({ now: { databases }, replaced })
    expect(items.find(({ rule }) => rule === 'server-replaced')).toMatchObject({
      level,
      title,
      evidence: [expect.stringMatching(/^Before: RavenDB 7\.1\.5, 4 databases\. Now: /)],
      sinceTicks: ago(60_000),
    })
    const later = judge({ now: { databases }, replaced: { ...replaced, atTicks: ago(3_600_001) } })
    expect(later.items.some(({ rule }) => rule === 'server-replaced')).toBe(false)
  })

  it('shows the worst five, worst first, and keeps the others', () => {
    const states = new Map(
      Array.from({ length: 8 }, (_, n) => [
        `db${n}`,
        {
          state: 'faulted' as const,
          error: 'broken\n  at',
          indexingStopped: null,
          sinceTicks: ago(1000),
          sinceIsBound: false,
        },
      ]),
    )
    const triage = judge({ states, jumps: [{ atTicks: ago(1000), byMs: -9000 }] })
    expect([triage.calm, triage.items.length, triage.more.length]).toEqual([false, 5, 4])
    expect(triage.items[0]).toMatchObject({ level: 'critical', evidence: ['broken'], sinceTicks: ago(1000) })
    expect(triage.more.at(-1)).toMatchObject({ rule: 'clock-jump', level: 'info' })
    expect(triage.sentence).toBe('The database “db0” failed to load. 7 more issues.')
  })

  it('knows since when, also when it flickers, and says when that is only a bound', () => {
    const judged = new TriageJudge()
    const at = (seconds: number, isLow: boolean) => {
      const nowTicks = (NOW + seconds * TICKS_PER_SECOND) as Ticks
      const facts = {
        nowTicks,
        nowMs: NOW_MS,
        recent: () => NOTHING,
        states: new Map(),
        indexErrors: [],
        alerts: [],
        failures: new Map(),
        jumps: [],
        replaced: null,
        cluster: unknownCluster(),
        others: NO_OTHERS,
        queries: null,
        queriesTicks: null,
        work: null,
        unpolled: null,
        workEveryMs: null,
        answers: null,
        writes: [],
        erroredIndexesOf: () => null,
        isDetailed: false,
        knownSince: () => null,
        statesTicks: null,
        silences: [],
        now: { ...WELL, ...memory({ severity: isLow ? 'Low' : 'None' }) },
      }
      return only(judged.judge(1, facts), 'low-memory')
    }
    expect(at(0, true)).toMatchObject({ sinceTicks: NOW, sinceIsBound: true })
    expect(at(5, false)).toBeUndefined()
    expect(at(10, true)).toMatchObject({ sinceTicks: NOW, sinceIsBound: true })
    for (let second = 15; second < 60; second += 5) at(second, false)
    expect(at(60, true)).toMatchObject({ sinceTicks: NOW + 60 * TICKS_PER_SECOND, sinceIsBound: false })
  })

  it('takes since when from an earlier visit that saw it begin', () => {
    const low = { now: memory({ severity: 'Low' }) }
    const known = { ticks: ago(90_000), isBound: false }
    expect(only(judge({ ...low, knownSince: () => known }), 'low-memory')).toMatchObject({
      sinceTicks: ago(90_000),
      sinceIsBound: false,
    })
    expect(only(judge({ ...low, knownSince: () => null }), 'low-memory')).toMatchObject({ sinceIsBound: true })
  })
})

describe('rules', () => {
  it('server-unresponsive: by evidence only, never by the age of the newest figure', () => {
    const found = (watch: Partial<ServerWatch>) =>
      only(judge({ now: { watch: { ...WATCH, ...watch } } }), 'server-unresponsive')
    expect(found({ lastReceivedMs: NOW_MS - 600_000 })).toBeUndefined()
    const unresponsive = { fromMs: NOW_MS - 20_000, requestedMs: NOW_MS - 17_000, isRefused: false }
    expect(found({ unresponsive })).toMatchObject({
      level: 'critical',
      title: 'The server has been unresponsive for 20.0 s.',
      evidence: ['GET /build/version, sent 17.0 s ago, is not answered.'],
      sinceTicks: ago(20_000),
    })
    expect(found({ unresponsive: { ...unresponsive, isRefused: true } })?.evidence).toEqual([
      'It cannot be reached: connections fail.',
    ])
  })

  it('says how it samples, and counts that as judged', () => {
    const { unknown, sentence } = judge({ work: [WORK], queries: null })
    const sampled = (...intervals: number[]) =>
      judge({
        work: [WORK, ...intervals.map((intervalMs): KnownWork => Object.assign({ intervalMs }, WORK))],
        queries: null,
      }).unknown.filter(({ isSampled }) => isSampled)
    // Without two responses no pace is known.
    expect(sampled()).toMatchObject([
      { rule: 'index-trouble', why: expect.stringMatching(/^Requested of databases at work only/) as string },
      { rule: 'merger-queue', why: expect.stringMatching(/^Requested of databases at work only/) as string },
    ])
    expect(sampled(20_100)[0]?.why).toMatch(/^Requested every 20 s of databases/)
    expect(sampled(20_100, 63_000)[0]?.why).toMatch(/^Requested every 20 to 63 s of databases/)
    const notJudged = unknown.filter(({ isSampled, isPartly }) => !isSampled && !isPartly)
    expect(notJudged.map(({ rule }) => rule)).toContain('long-queries')
    expect(sentence).toContain(`by ${TRIAGE_RULES.length - notJudged.length} of ${TRIAGE_RULES.length} checks`)
  })

  it('database-faulted: by the list, or by the alert that outlives it', () => {
    const state = (parts: Partial<ListedState>) =>
      new Map([
        [
          'a',
          { state: 'unloaded', error: null, indexingStopped: null, sinceTicks: ago(9), sinceIsBound: true, ...parts },
        ],
      ] as const)
    const failure = {
      database: 'a',
      atTicks: ago(60_000),
      message: 'It is damaged.\nVoron says so\n at x',
      alertId: 'x',
    }
    const failures = new Map([['a', failure]])
    expect(only(judge({ states: state({}) }), 'database-faulted')).toBeUndefined()
    expect(only(judge({ states: state({ state: 'faulted', error: 'broken' }) }), 'database-faulted')).toMatchObject({
      level: 'critical',
      evidence: ['broken'],
      sinceIsBound: true,
    })
    const raised = [alert({ id: 'x', severity: 'Error' }), alert({ id: 'y', severity: 'Error' })]
    const triage = judge({ states: state({}), failures, alerts: raised })
    expect(only(triage, 'database-faulted')).toMatchObject({
      evidence: ['It is damaged.', 'Voron says so'],
      sinceTicks: ago(60_000),
    })
    expect(found(triage, 'server-alerts')).toHaveLength(1)
  })

  it('database-loading', () => {
    const loading = (ms: number) =>
      only(
        judge({
          states: new Map([
            ['a', { state: 'loading', error: null, indexingStopped: null, sinceTicks: ago(ms), sinceIsBound: false }],
          ]),
        }),
        'database-loading',
      )
    expect(loading(20_000)).toBeUndefined()
    expect(loading(40_000)).toMatchObject({ level: 'warning', link: { panel: 'database' } })
    expect(loading(400_000)).toMatchObject({ level: 'critical' })
  })

  it('index-errored and indexing-errors: old errors are no news', () => {
    const errors = { database: 'a', erroredIndexes: 1, indexingErrors: 195, grewTicks: null, failing: [] }
    expect(only(judge({ indexErrors: [errors] }), 'index-errored')).toMatchObject({
      level: 'critical',
      title: '1 index of “a” stopped with errors.',
      link: { panel: 'indexing', sources: ['db:a'] },
    })
    expect(only(judge({ indexErrors: [{ ...errors, erroredIndexes: 0 }] }), 'indexing-errors')).toBeUndefined()
    expect(only(judge({ indexErrors: [{ ...errors, grewTicks: ago(1000) }] }), 'indexing-errors')).toMatchObject({
      level: 'warning',
      title: 'Indexing errors in “a”.',
      evidence: ['195 errors kept in this database; more came 1.00 s ago.'],
    })
  })

  it('index-errored and indexing-errors name the index as soon as the database reported it, and lead to it', () => {
    const errored = { index: 'Things/Broken', isErrored: true, errors: 500, grewTicks: null }
    const some = { index: 'Things/Some', isErrored: false, errors: 12, grewTicks: ago(1000) }
    const errors = { database: 'a', erroredIndexes: 1, indexingErrors: 512, grewTicks: ago(1000) }
    const found = judge({ indexErrors: [{ ...errors, failing: [errored, some] }] })
    expect(only(found, 'index-errored')).toMatchObject({
      title: 'The index “Things/Broken” of “a” stopped with errors.',
      evidence: ['512 indexing errors kept in this database.'],
      link: {
        panel: 'indexing',
        sources: ['db:a'],
        params: {
          'indexing.focus': 'db:a|Things/Broken',
          'indexing.open': 'db:a|Things/Broken',
          'indexing.errors': 'on',
          'indexing.find': '',
        },
      },
      errorsOf: { database: 'a', indexes: ['Things/Broken'] },
    })
    expect(only(found, 'indexing-errors')).toMatchObject({
      title: 'Indexing errors in “Things/Some” of “a”.',
      errorsOf: { database: 'a', indexes: ['Things/Some'] },
    })
    const two = [errored, { ...errored, index: 'B,1' }]
    const many = judge({ indexErrors: [{ ...errors, erroredIndexes: 2, grewTicks: null, failing: two }] })
    expect(only(many, 'index-errored')).toMatchObject({
      title: '2 indexes of “a” stopped with errors.',
      evidence: ['“Things/Broken”, “B,1”.', '512 indexing errors kept in this database.'],
      link: { params: { 'indexing.focus': '', 'indexing.open': 'db:a|Things/Broken,db:a|B%2C1' } },
    })
  })

  it('indexing-errors blames no index for errors of another', () => {
    const errors = { database: 'a', erroredIndexes: 0, indexingErrors: 537, grewTicks: ago(1000) }
    const all = { index: 'Things/AllFail', isErrored: false, errors: 500, grewTicks: null }
    const broken = { index: 'Things/Broken', isErrored: false, errors: 37, grewTicks: null }
    const found = (...failing: (typeof all | (Omit<typeof all, 'grewTicks'> & { grewTicks: Ticks }))[]) =>
      only(judge({ indexErrors: [{ ...errors, failing }] }), 'indexing-errors')
    // Read once, since they grew: any of both may be the one.
    expect(found(all, broken)).toMatchObject({
      title: 'Indexing errors in “a”.',
      evidence: [
        '537 errors kept in this database; more came 1.00 s ago.',
        'In which of 2 indexes with errors is not known yet.',
      ],
      errorsOf: { database: 'a', indexes: [] },
    })
    expect(found(all, broken)).not.toHaveProperty('actsOn')
    // Errors of the other one did not become more.
    expect(found({ ...all, grewTicks: ago(500) }, broken)).toMatchObject({
      title: 'Indexing errors in “Things/AllFail” of “a”.',
      actsOn: { names: ['Things/AllFail'] },
    })
    // The one that grew has stopped, which is a finding of its own.
    expect(found({ ...all, isErrored: true, grewTicks: ago(500) }, broken)).toBeUndefined()
    expect(found({ ...broken, grewTicks: ago(700_000) }, all)?.title).toBe('Indexing errors in “a”.')
    // Read before they grew: more of them may be of another one.
    expect(found(broken)?.title).toBe('Indexing errors in “a”.')
    expect(found({ ...broken, errors: 537 })?.title).toBe('Indexing errors in “Things/Broken” of “a”.')
    expect(found({ ...broken, grewTicks: ago(500) })?.title).toBe('Indexing errors in “Things/Broken” of “a”.')
  })

  it('index-errored counts no errors that were not read yet', () => {
    const errors = { database: 'a', erroredIndexes: 1, indexingErrors: 0, grewTicks: null, failing: [] }
    expect(only(judge({ indexErrors: [errors] }), 'index-errored')?.evidence).toEqual([])
  })

  it('index-trouble', () => {
    const trouble = {
      source: 'db:a',
      index: 'I',
      detail: '9,000 documents behind',
      sinceTicks: ago(5000),
      atTicks: NOW,
    }
    const levels = (['stopped', 'behind', 'throttled'] as const).map(
      (kind) =>
        only(judge({ others: { ...NO_OTHERS, indexes: [{ ...trouble, trouble: kind }] } }), 'index-trouble')?.level,
    )
    expect(levels).toEqual(['critical', 'warning', 'info'])
  })

  it('slow-writes: a journal counts from a second on, a flush from thirty', () => {
    const write = (kind: string, seconds: number) =>
      only(
        judge({
          others: {
            ...NO_OTHERS,
            slowWrites: [
              {
                source: 'server',
                environment: 'System',
                kind,
                startTicks: ago(60_000),
                durationTicks: (seconds * TICKS_PER_SECOND) as TickSpan,
                endsWithSync: kind === 'JournalWrite',
                selection: 'the event',
              },
            ],
          },
        }),
        'slow-writes',
      )
    expect(write('JournalWrite', 0.9)).toBeUndefined()
    expect(write('JournalWrite', 1.5)).toMatchObject({
      level: 'warning',
      link: { panel: 'io', sources: ['server'], selection: 'the event' },
    })
    expect(write('JournalWrite', 6)).toMatchObject({ level: 'critical' })
    expect(write('JournalWrite', 6)?.evidence).toContain('1 of them ended with a data sync: see Stalls.')
    expect(write('DataFlush', 6)).toBeUndefined()
    expect(write('DataSync', 31)?.link.range).not.toBeNull()
  })

  it('held-up-commits: by count and share of the time, more of it where no cause is known', () => {
    const found = (parts: Partial<HeldUpCommits>) => {
      const commits: HeldUpCommits = {
        source: 'db:demo',
        environment: 'Documents',
        stalls: 59,
        stalledShare: 0.04,
        longestTicks: (0.9 * TICKS_PER_SECOND) as TickSpan,
        sinceTicks: ago(300_000),
        untilTicks: ago(10_000),
        cause: 'sync',
        ofCause: 55,
        ...parts,
      }
      return only(judge({ others: { ...NO_OTHERS, heldUp: [commits] } }), 'held-up-commits')
    }
    expect(found({})).toMatchObject({
      level: 'warning',
      title: 'Commits of Documents of demo were held up 59 times (longest 900 ms), by data syncs.',
      link: { panel: 'stalls', sources: ['db:demo'], range: { startTicks: ago(301_000), endTicks: ago(9_000) } },
    })
    expect(found({ stalls: 4 })).toBeUndefined()
    expect(found({ stalledShare: 0.005 })).toBeUndefined()
    // A cause of fewer than half of them is named with its number, and lowers no bound.
    expect(found({ ofCause: 20 })).toBeUndefined()
    expect(found({ ofCause: 20, stalledShare: 0.06 })?.title).toMatch(/\(longest 900 ms\), 20 of them by data syncs\.$/)
    expect(found({ cause: 'unexplained' })).toBeUndefined()
    expect(found({ cause: 'unexplained', stalledShare: 0.06 })?.title).toMatch(/\(longest 900 ms\)\.$/)
  })

  it('held-up-commits: slow as a whole, where none stands out', () => {
    const slow: SlowCommits = {
      source: 'db:demo',
      environment: 'Documents',
      writes: 3000,
      slow: 1204,
      leastMs: 50,
      medianMs: 38,
      quickMs: 0.6,
      sinceTicks: ago(300_000),
      untilTicks: ago(10_000),
      mostPerSecond: 221,
      pace: null,
    }
    expect(only(judge({ others: { ...NO_OTHERS, heldUp: [], slowCommits: [slow] } }), 'held-up-commits')).toMatchObject(
      {
        level: 'warning',
        title: 'Commits of Documents of demo are slow as a whole: half take 38.0 ms or more.',
        evidence: [
          '1,204 of 3,000 journal writes took 50.0 ms or more; its quickest tenth takes 600 µs at most.',
          'Its volume completed at most 221 journal writes in a second.',
        ],
        link: { panel: 'stalls', sources: ['db:demo'], range: { startTicks: ago(301_000), endTicks: ago(9_000) } },
      },
    )
    const limited = (sizes: readonly [number, number] | null): SlowCommits => ({
      ...slow,
      medianMs: 4.1,
      pace: { everyMs: 4.5, restedMs: 0.4, sizes },
    })
    const of = (each: SlowCommits) =>
      only(judge({ others: { ...NO_OTHERS, heldUp: [], slowCommits: [each] } }), 'held-up-commits')
    expect(of(limited([4096, 24_576]))).toMatchObject({
      title:
        'Commits of Documents of demo are slow as a whole: half take 4.10 ms or more, as behind a limit of 222 writes a second.',
      evidence: [
        '1,204 of 3,000 journal writes waited for those before them; its quickest tenth takes 600 µs at most.',
        'Its volume completed one each 4.50 ms, whatever its size (4.00 KiB to 24.0 KiB); after a rest, three of four took 400 µs or less.',
      ],
    })
    expect(of(limited(null))?.evidence[1]).toContain('all are of about one size, so that it may be a limit of bytes')
  })

  it('held-up-commits and slow-writes report a commit once', () => {
    const commits: HeldUpCommits = {
      source: 'db:demo',
      environment: 'Documents',
      stalls: 59,
      stalledShare: 0.04,
      longestTicks: (6 * TICKS_PER_SECOND) as TickSpan,
      sinceTicks: ago(300_000),
      untilTicks: ago(10_000),
      cause: 'sync',
      ofCause: 55,
    }
    const write = (seconds: number, parts: Partial<SlowWrite> = {}): SlowWrite => ({
      source: 'db:demo',
      environment: 'Documents',
      kind: 'JournalWrite',
      startTicks: ago(60_000),
      durationTicks: (seconds * TICKS_PER_SECOND) as TickSpan,
      endsWithSync: true,
      selection: '',
      ...parts,
    })
    const rules = (...writes: readonly SlowWrite[]) =>
      judge({ others: { ...NO_OTHERS, slowWrites: writes, heldUp: [commits] } }).items.map(({ rule }) => rule)
    const both = judge({ others: { ...NO_OTHERS, slowWrites: [write(6), write(2)], heldUp: [commits] } })
    expect(found(both, 'slow-writes')).toEqual([])
    expect(only(both, 'held-up-commits')).toMatchObject({
      level: 'critical',
      evidence: expect.arrayContaining(['2 took 1.00 s or more.']) as unknown,
      held: { ticks: ago(10_000), isEnd: true },
    })
    // A flush is no commit, and another storage has commits of its own.
    expect(rules(write(40, { kind: 'DataFlush' }))).toContain('slow-writes')
    expect(rules(write(6, { environment: 'ByName' }))).toContain('slow-writes')
    expect(rules(write(9))).toContain('slow-writes')
    // A longer write came after the judgement of Stalls, whose longest stall it would contradict.
    const later = judge({ others: { ...NO_OTHERS, slowWrites: [write(9), write(2)], heldUp: [commits] } })
    expect(only(later, 'held-up-commits')?.evidence).toContain('1 took 1.00 s or more.')
  })

  it('says of commits that are not judged whether I/O is watched', () => {
    const why = (others: Partial<OtherFacts>) =>
      judge({ others: { ...NO_OTHERS, ...others } }).unknown.find(({ rule }) => rule === 'held-up-commits')?.why
    expect(why({})).toMatch(/^No I\/O is watched/)
    expect(why({ isIoAwaited: true })).toBe('No I/O of the busiest database yet.')
    expect(why({ slowWrites: [] })).toBe('No current judgement of the watched I/O.')
    expect(why({ slowWrites: [], heldUp: [], unwatched: ['shop'] })).toMatch(/^Not judged for shop: /)
    expect(why({ slowWrites: [], heldUp: [] })).toBeUndefined()
  })

  describe('storages of one database', () => {
    const held = (environment: string, parts: Partial<HeldUpCommits> = {}): HeldUpCommits => ({
      source: 'db:demo',
      environment,
      stalls: 59,
      stalledShare: 0.04,
      longestTicks: (0.9 * TICKS_PER_SECOND) as TickSpan,
      sinceTicks: ago(300_000),
      untilTicks: ago(10_000),
      cause: 'sync',
      ofCause: 55,
      ...parts,
    })
    const storages = (count: number, parts?: Partial<HeldUpCommits>): HeldUpCommits[] =>
      Array.from({ length: count }, (_, at) => held(`Index${String(at)}`, parts))
    const all = ({ items, more }: Judged, rule = 'held-up-commits') =>
      [...items, ...more].filter((item) => item.rule === rule)
    const ofHeldUp = (...heldUp: readonly HeldUpCommits[]) => all(judge({ others: { ...NO_OTHERS, heldUp } }))
    const FOLDED = 'held-up-commits:storages|held-up|db:demo'

    it('are single findings up to two, and one from three on', () => {
      expect(ofHeldUp(...storages(1)).map(({ id }) => id)).toEqual(['held-up-commits:db:demo|Index0'])
      expect(ofHeldUp(...storages(2)).map(({ title }) => title)).toEqual([
        'Commits of Index0 of demo were held up 59 times (longest 900 ms), by data syncs.',
        'Commits of Index1 of demo were held up 59 times (longest 900 ms), by data syncs.',
      ])
      const [three, ...others] = ofHeldUp(...storages(3))
      expect(others).toEqual([])
      expect(three).toMatchObject({
        id: FOLDED,
        level: 'warning',
        title: 'Commits of 3 storages of demo were held up 177 times (longest 900 ms), by data syncs.',
        past: 'Commits of several storages of demo were held up.',
      })
      expect(three?.evidence).toHaveLength(3)
    })

    it('are as bad as the worst, which has its evidence; the rest is counted', () => {
      const worst = held('Worst', {
        longestTicks: (6 * TICKS_PER_SECOND) as TickSpan,
        sinceTicks: ago(500_000),
        untilTicks: ago(20_000),
      })
      const [one, ...others] = ofHeldUp(...storages(59), worst)
      expect(others).toEqual([])
      expect(one).toMatchObject({
        level: 'critical',
        title: 'Commits of 60 storages of demo were held up 3,540 times (longest 6.00 s), by data syncs.',
        sinceTicks: ago(500_000),
        held: { ticks: ago(10_000), isEnd: true },
      })
      expect(one?.link).toEqual({
        panel: 'stalls',
        params: {},
        sources: ['db:demo'],
        range: { startTicks: ago(501_000), endTicks: ago(9_000) },
      })
      expect(one?.evidence).toEqual([
        expect.stringMatching(
          /^Worst: 59 times \(longest 6\.00 s\), by data syncs\. 4.+ of the time; .+ 55 of 59 have this cause\.$/,
        ),
        'Index0: 59 times (longest 900 ms), by data syncs.',
        'Index1: 59 times (longest 900 ms), by data syncs.',
        'And 57 more storages of demo.',
      ])
    })

    it('have a cause in common only where that of half of all stalls is known', () => {
      const [mixed] = ofHeldUp(...storages(2), ...storages(2, { cause: 'neighbour', ofCause: 30 }))
      expect(mixed?.title).toMatch(/ 236 times \(longest 900 ms\)\.$/)
      expect(mixed?.evidence[2]).toMatch(/by large writes of others\.$/)
    })

    it('are folded for each database', () => {
      const shop = storages(3, { source: 'db:shop' })
      expect(ofHeldUp(...storages(3), ...shop.slice(1)).map(({ id }) => id)).toEqual([
        FOLDED,
        'held-up-commits:db:shop|Index1',
        'held-up-commits:db:shop|Index2',
      ])
      expect(ofHeldUp(...storages(4), ...shop).map(({ title }) => title.slice(0, 29))).toEqual([
        'Commits of 4 storages of demo',
        'Commits of 3 storages of shop',
      ])
    })

    it('stay one finding while storages join and leave, until none is left', () => {
      const log = emptyModel().findings
      let nowTicks = NOW
      const next = (afterSeconds: number, heldUp: readonly HeldUpCommits[]) => {
        nowTicks = (nowTicks + afterSeconds * TICKS_PER_SECOND) as Ticks
        const knownSince = (id: string) => log.since(id, nowTicks)
        const items = all(judge({ nowTicks, knownSince, others: { ...NO_OTHERS, heldUp } }))
        log.note(items, nowTicks)
        return items.map(({ id, sinceTicks }) => [id, sinceTicks])
      }
      const since = ago(400_000)
      const one = [[FOLDED, since]]
      expect(next(0, storages(2, { sinceTicks: since }))).toHaveLength(2)
      // The log has the start of the single findings.
      expect(next(5, storages(3))).toEqual(one)
      for (const count of [60, 59, 3, 2, 1, 2, 4]) expect(next(15, storages(count))).toEqual(one)
      expect(log.logged.filter(({ id, isOver }) => id === FOLDED && !isOver)).toMatchObject([
        { startTicks: since, times: 1 },
      ])
      expect(log.logged).toHaveLength(3)
      expect(next(15, [])).toEqual([])
      expect(next(60, storages(2))).toHaveLength(2)
    })

    it('of slow writes are folded by kind, with a link to I/O without a selection', () => {
      const write = (environment: string, seconds: number, kind = 'JournalWrite'): SlowWrite => ({
        source: 'db:demo',
        environment,
        kind,
        startTicks: ago(60_000),
        durationTicks: (seconds * TICKS_PER_SECOND) as TickSpan,
        endsWithSync: kind === 'JournalWrite',
        selection: environment,
      })
      const slowWrites = [write('A', 2), write('B', 6), write('B', 3), write('C', 2), write('A', 40, 'DataFlush')]
      const [journals, flush, ...others] = all(judge({ others: { ...NO_OTHERS, slowWrites } }), 'slow-writes')
      expect(others).toEqual([])
      expect(journals).toMatchObject({
        id: 'slow-writes:storages|JournalWrite|db:demo',
        level: 'critical',
        title: 'Journal writes of 3 storages of demo stalled for up to 6.00 s.',
      })
      expect(journals?.evidence).toEqual([
        'B: 2 of at least 1.00 s in the last 10 minutes, longest 6.00 s. 2 of them ended with a data sync: see Stalls.',
        'A: 1 of at least 1.00 s in the last 10 minutes, longest 2.00 s.',
        'C: 1 of at least 1.00 s in the last 10 minutes, longest 2.00 s.',
      ])
      expect(journals?.link).toEqual({
        panel: 'io',
        params: { 'io.hide': '', 'io.find': '' },
        sources: ['db:demo'],
        range: { startTicks: ago(120_000), endTicks: (ago(54_000) + 60 * TICKS_PER_SECOND) as Ticks },
      })
      expect(flush).toMatchObject({ id: 'slow-writes:db:demo|A|DataFlush', link: { selection: 'A' } })
    })

    it('that are slow as a whole are named by the slowest', () => {
      const slowCommits = [38, 90, 60, 40].map((medianMs, at): SlowCommits => ({
        source: 'db:demo',
        environment: `Index${String(at)}`,
        writes: 3000,
        slow: 1204,
        leastMs: 50,
        medianMs,
        quickMs: 0.6,
        sinceTicks: ago(300_000),
        untilTicks: ago(10_000),
        mostPerSecond: 221,
        pace: null,
      }))
      const [slow, ...others] = all(judge({ others: { ...NO_OTHERS, heldUp: [], slowCommits } }))
      expect(others).toEqual([])
      expect(slow).toMatchObject({
        title: 'Commits of 4 storages of demo are slow as a whole: in the slowest, half take 90.0 ms or more.',
        evidence: [
          expect.stringMatching(/^Index1: half take 90\.0 ms or more\. 1,204 of 3,000 /),
          'Index2: half take 60.0 ms or more.',
          'Index3: half take 40.0 ms or more.',
          'And 1 more storage of demo.',
        ],
      })
    })
  })

  it('many of one rule do not hide what else is as bad', () => {
    const query = (id: number): RunningQuery => ({ ...QUERY, id, runningMs: 590_000 })
    const triage = judge({
      queries: [1, 2, 3, 4, 5, 6, 7].map(query),
      silences: [{ startTicks: ago(60_000), endTicks: ago(50_000) }],
    })
    const rules = (items: readonly TriageItem[]) => items.map(({ rule }) => rule)
    const long = 'long-queries'
    expect(rules(triage.items)).toEqual([long, long, 'server-was-unresponsive', long, long])
    expect(rules(triage.more)).toEqual([long, long, long])
    expect(triage.sentence).toMatch(/7 more issues/)
  })

  it('long-queries: a stream may take long', () => {
    const query = (parts: Partial<RunningQuery>) => only(judge({ queries: [{ ...QUERY, ...parts }] }), 'long-queries')
    expect(query({ runningMs: 20_000 })).toBeUndefined()
    expect(query({ runningMs: 40_000 })).toMatchObject({
      level: 'warning',
      evidence: ['from X', 'No index answers it: it reads the documents themselves.'],
      sinceTicks: ago(40_000),
      link: { panel: 'activity', params: { 'activity.view': 'queries', 'activity.show': 'a|collection/X|7' } },
      actsOn: { kind: 'query', database: 'a', names: ['7 collection/X'] },
    })
    expect(query({ runningMs: 40_000, isStreaming: true })).toBeUndefined()
    expect(query({ runningMs: 700_000, isStreaming: true })).toMatchObject({ level: 'info' })
    expect(judge({ queries: null }).unknown.map(({ rule }) => rule)).toContain('long-queries')
  })

  it('merger-queue: a queue alone, or busy transactions alone, are no finding', () => {
    const merger = (waiting: number, busyMs: number) =>
      only(judge({ work: [{ ...WORK, waiting, merger: { ...WORK.merger!, busyMs } }] }), 'merger-queue')
    expect(merger(50, 60_000)).toBeUndefined()
    expect(merger(5000, 20_000)).toBeUndefined()
    expect(merger(200, 58_000)).toMatchObject({
      level: 'warning',
      link: { params: { 'server.show': 'Transaction merger' } },
    })
  })

  it('index-trouble of a database at work: stopped, or far behind and not caught up in a minute', () => {
    const index = (parts: Partial<IndexWork>) =>
      only(
        judge({
          work: [
            { ...WORK, indexes: [{ index: 'ByX', status: 'Running', itemsLeft: 0, itemsPerSecond: 0, ...parts }] },
          ],
        }),
        'index-trouble',
      )
    expect(index({ itemsLeft: 9000 })).toBeUndefined()
    expect(index({ itemsLeft: 20_000, itemsPerSecond: 1000 })).toBeUndefined()
    expect(index({ itemsLeft: 200_000, itemsPerSecond: 100 })).toMatchObject({
      level: 'warning',
      title: 'The index “ByX” of “a” is far behind.',
      evidence: [
        'It is 200,000 documents behind, at 100 /s it has caught up in 33 min 20 s, if nothing more is written.',
      ],
    })
    expect(index({ itemsLeft: 20_000 })?.evidence[0]).toContain('does not get on')
    // An expensive map: few documents that take long. A single response may be that of a burst after a rest.
    expect(index({ itemsLeft: 1500, itemsPerSecond: 4.8 })).toBeUndefined()
    expect(index({ itemsLeft: 1500, itemsPerSecond: 4.8, growsPerSecond: -50 })).toBeUndefined()
    expect(index({ itemsLeft: 1500, itemsPerSecond: 4.8, growsPerSecond: 25.1 })).toMatchObject({
      level: 'warning',
      evidence: [
        'It is 1,500 documents behind, at 4.80 /s it has caught up in 5 min 13 s, if nothing more is written. Its backlog grows by 25.1 /s.',
      ],
    })
    expect(index({ status: 'Paused', itemsLeft: 5 })).toMatchObject({ level: 'critical' })
    const watched = {
      source: 'db:a',
      index: 'ByX',
      trouble: 'behind',
      detail: 'x',
      sinceTicks: null,
      atTicks: NOW,
    } as const
    const both = judge({
      others: { ...NO_OTHERS, indexes: [watched] },
      work: [{ ...WORK, indexes: [{ index: 'ByX', status: 'Paused', itemsLeft: 5, itemsPerSecond: 0 }] }],
    })
    expect(found(both, 'index-trouble')).toHaveLength(1)
  })

  it.each([
    [30_000, 0, 0],
    [0, 30_000, 1],
  ])(
    'index-trouble: the newer of what was watched %i ms ago and reported %i ms ago',
    (watchedMs, reportedMs, count) => {
      const paused = {
        source: 'db:a',
        index: 'ByX',
        trouble: 'stopped',
        detail: 'Its status is Paused.',
        sinceTicks: null,
        atTicks: ago(watchedMs),
      } as const
      const running = { index: 'ByX', status: 'Running', itemsLeft: 3, itemsPerSecond: 9 }
      const judged = judge({
        others: { ...NO_OTHERS, indexes: [paused] },
        work: [{ ...WORK, indexesTicks: ago(reportedMs), indexes: [running] }],
      })
      expect(found(judged, 'index-trouble')).toHaveLength(count)
    },
  )

  it('index-errored: watched indexes in error are no second finding, unless the server counts fewer', () => {
    const errored = ['A', 'B'].map((index) => ({
      source: 'db:a' as const,
      index,
      trouble: 'stopped' as const,
      isErrored: true,
      detail: 'It could not be opened.',
      sinceTicks: null,
      atTicks: NOW,
    }))
    const of = (erroredIndexes: number | null) =>
      judge({
        others: { ...NO_OTHERS, indexes: errored },
        indexErrors: [{ database: 'a', erroredIndexes, indexingErrors: 0, grewTicks: null, failing: [] }],
      })
    expect(found(of(2), 'index-trouble')).toEqual([])
    expect(only(of(2), 'index-errored')).toMatchObject({
      title: '2 indexes of “a” stopped with errors.',
      evidence: ['“A”, “B”.'],
    })
    for (const fewer of [null, 0, 1]) expect(found(of(fewer), 'index-trouble')).toHaveLength(1)
  })

  it('index-errored: names the indexes of all reports, since each report may lack some', () => {
    const watched = (index: string) => ({
      source: 'db:a' as const,
      index,
      trouble: 'stopped' as const,
      isErrored: true,
      detail: 'It could not be opened.',
      sinceTicks: null,
      atTicks: NOW,
    })
    const of = (...indexes: string[]) =>
      judge({
        others: { ...NO_OTHERS, indexes: indexes.map(watched) },
        indexErrors: [
          {
            database: 'a',
            erroredIndexes: 2,
            indexingErrors: 0,
            grewTicks: null,
            failing: [{ index: 'A', isErrored: true, errors: 500, grewTicks: null }],
          },
        ],
        work: [{ ...WORK, states: [{ index: 'A', state: 'Error', isStale: true, indexedTicks: null }] }],
      })
    expect(found(of('B'), 'index-trouble')).toEqual([])
    expect(only(of('B'), 'index-errored')).toMatchObject({
      title: '2 indexes of “a” stopped with errors.',
      evidence: ['“A”, “B”.'],
      link: { params: { 'indexing.open': 'db:a|A,db:a|B' } },
      errorsOf: { indexes: ['A', 'B'] },
      actsOn: { names: ['A', 'B'] },
    })
    // The title does not have the name of the one that is known.
    expect(only(of(), 'index-errored')).toMatchObject({
      title: '2 indexes of “a” stopped with errors.',
      evidence: ['“A”.'],
    })
  })

  it('gives reasons that fit one index and several', () => {
    const ofIndexes = [...TRIAGE_RULES, ...CHECK_RULES].filter(({ title }) => title.startsWith('An index '))
    expect(ofIndexes.length).toBeGreaterThan(4)
    for (const { reason } of ofIndexes) expect(reason).not.toMatch(/^(It|Queries on it) /)
  })

  it('index-trouble: many indexes of one database in the same trouble are one finding', () => {
    const indexes = Array.from({ length: 5 }, (_, i) => ({
      index: `By${String(i)}`,
      status: 'Running',
      itemsLeft: 50_000,
      itemsPerSecond: 0,
    }))
    expect(only(judge({ work: [{ ...WORK, indexes }] }), 'index-trouble')).toMatchObject({
      title: '5 indexes of “a” are far behind.',
      evidence: [
        '“By0”: It is 50,000 documents behind, and it does not get on.',
        expect.stringContaining('“By1”'),
        expect.stringContaining('“By2”'),
        'And 2 more.',
      ],
    })
  })

  it('indexing-stopped: of a database with work left, and its indexes are not reported one by one', () => {
    const stopped = { status: 'Paused', itemsPerSecond: 0 }
    const work = [
      {
        ...WORK,
        indexes: [
          { index: 'ByX', itemsLeft: 5, ...stopped },
          { index: 'ByY', itemsLeft: 70, ...stopped },
        ],
      },
    ]
    const states = new Map([
      [
        'a',
        {
          state: 'online',
          error: null,
          indexingStopped: 'Paused',
          sinceTicks: ago(1000),
          sinceIsBound: false,
        } as const,
      ],
    ])
    expect(found(judge({ work, states }), 'index-trouble')).toEqual([])
    expect(only(judge({ work, states }), 'indexing-stopped')).toMatchObject({
      level: 'critical',
      evidence: ['Nothing that is written reaches an index.', 'The one furthest behind misses 70 documents.'],
    })
  })

  it('index-trouble by state: disabled or stale for long without a batch, once for each index', () => {
    const state = { index: 'ByX', state: 'Normal', isStale: true, indexedTicks: ago(600_000) }
    const of = (parts: Partial<typeof state>, indexes: readonly IndexWork[] = []) =>
      only(judge({ work: [{ ...WORK, indexes, states: [{ ...state, ...parts }] }] }), 'index-trouble')
    expect(of({})).toMatchObject({
      level: 'warning',
      evidence: ['It is stale, and its last batch ended 10 min before it was asked.'],
      sinceTicks: ago(600_000),
    })
    expect(of({ indexedTicks: ago(60_000) })).toBeUndefined()
    expect(of({ isStale: false, state: 'Disabled' })).toBeUndefined()
    expect(of({ state: 'Disabled' })).toMatchObject({
      level: 'critical',
      evidence: ['Its state is Disabled, and it is stale.'],
    })
    const paused = { index: 'ByX', status: 'Paused', itemsLeft: 5, itemsPerSecond: 0 }
    expect(of({}, [paused])?.evidence).toEqual(['Its status is Paused, and it is 5 documents behind.'])
  })

  it('index-trouble: a kept error hides no newer stop, unless the server still counts it, nor does a kept stop last', () => {
    const of = (state: string, status: string, erroredIndexes: number | null = 0) =>
      found(
        judge({
          work: [
            {
              ...WORK,
              statesTicks: ago(60_000),
              states: [{ index: 'ByX', state, isStale: true, indexedTicks: null }],
              indexes: [{ index: 'ByX', status, itemsLeft: 5, itemsPerSecond: 0 }],
            },
          ],
          indexErrors: [{ database: 'a', erroredIndexes, indexingErrors: 0, grewTicks: null, failing: [] }],
        }),
        'index-trouble',
      )
    expect(of('Error', 'Paused')).toMatchObject([{ title: 'The index “ByX” of “a” does not run.' }])
    expect(of('Error', 'Paused', 1)).toEqual([])
    // Without the overview of its database it is not known whether the server still counts it: an error is no stop.
    expect(of('Error', 'Paused', null)).toEqual([])
    expect(of('Disabled', 'Running')).toEqual([])
  })

  it('index-trouble says once of which databases it does not know', () => {
    const partly = (unpolled: TriageFacts['unpolled']) =>
      judge({ unpolled, others: { ...NO_OTHERS, indexes: [] } }).unknown.filter(({ isPartly }) => isPartly)
    expect(partly({ waiting: [], resting: 0, unloaded: 0 })).toEqual([])
    expect(partly({ waiting: ['a'], resting: 2, unloaded: 12 })).toMatchObject([
      {
        rule: 'index-trouble',
        why: 'Unknown for 2 loaded databases without activity and for 12 unloaded databases: a request would load them or keep them loaded. Not judged before its turn, which comes within 20.0 s: “a”.',
      },
    ])
    // Requests to a server without CPU to spare are minutes apart: an index that was stopped is not known meanwhile.
    const seldom = (workEveryMs: number) =>
      judge({ workEveryMs, work: [{ ...WORK, indexes: [], indexesTicks: ago(140_000) }] }).unknown.filter(
        ({ rule, isPartly }) => rule === 'index-trouble' && isPartly,
      )
    expect(seldom(20_000)).toEqual([])
    expect(seldom(212_000)[0]?.why).toMatch(
      /^Requested only every 3 min 32 s, to leave the server its CPU: “a” 2 min 20 s ago\. An index that was stopped since then/,
    )
  })

  it('index-errored: by name, where the database was asked', () => {
    const errors = [{ database: 'a', erroredIndexes: 1, indexingErrors: 500, grewTicks: null, failing: [] }]
    const states = [{ index: 'ByX', state: 'Error', isStale: true, indexedTicks: null }]
    expect(only(judge({ indexErrors: errors }), 'index-errored')?.evidence).toEqual([
      '500 indexing errors kept in this database.',
    ])
    expect(only(judge({ indexErrors: errors, work: [{ ...WORK, states }] }), 'index-errored')?.title).toBe(
      'The index “ByX” of “a” stopped with errors.',
    )
  })

  it('indexing-stopped: of a loaded database only', () => {
    const stopped = (state: 'online' | 'unloaded') =>
      only(
        judge({
          states: new Map([
            ['a', { state, error: null, indexingStopped: 'Paused', sinceTicks: ago(1000), sinceIsBound: false }],
          ]),
        }),
        'indexing-stopped',
      )
    expect(stopped('online')).toMatchObject({ title: 'Indexing of “a” is paused.', level: 'warning' })
    expect(stopped('unloaded')).toBeUndefined()
  })

  it('low-memory: a simulation is none', () => {
    const log = (isSimulated: boolean): Partial<ServerNow> => ({
      lowMemory: [
        {
          atTicks: ago(60_000),
          event: 'LowMemHandler',
          isLow: true,
          isSimulated,
          freeBytes: null,
        },
      ],
    })
    expect(only(judge({ now: log(true) }), 'low-memory')).toBeUndefined()
    expect(only(judge({ now: log(false) }), 'low-memory')).toMatchObject({ level: 'warning', sinceTicks: ago(60_000) })
    expect(only(judge({ now: memory({ severity: 'ExtremelyLow' }) }), 'low-memory')).toMatchObject({
      level: 'critical',
    })
  })

  it('dirty-memory, by what the kernel has not written, else by the server’s rule of thumb for scratch buffers', () => {
    const dirty = (source: 'kernel' | 'server', share: number, count = 3) => {
      const of = { ...WELL.memory!, source }
      const bytes = share * (source === 'kernel' ? of.availableBytes : of.physicalBytes)
      const key = source === 'kernel' ? 'memory.unwritten' : 'memory.scratch'
      const known = { mean: bytes, min: bytes, max: bytes, count }
      const unknown = { mean: Number.NaN, min: Number.NaN, max: Number.NaN, count: 0 }
      return only(
        judge({ now: { memory: of }, recent: (requested) => (requested === key ? known : unknown) }),
        'dirty-memory',
      )
    }
    expect(dirty('kernel', 0.14)).toBeUndefined()
    expect(dirty('kernel', 0.3, 1)).toBeUndefined()
    expect(dirty('kernel', 0.16)).toMatchObject({ level: 'warning' })
    expect(dirty('server', 0.2)).toBeUndefined()
    expect(dirty('server', 0.3)).toMatchObject({
      level: 'warning',
      title: 'Scratch buffers hold 30.0 % of the memory.',
    })
  })

  it('cpu-credits', () => {
    const rule = (parts: Partial<typeof credits>) =>
      only(judge({ now: { credits: { ...credits, ...parts } } }), 'cpu-credits')
    expect(only(judge(), 'cpu-credits')).toBeUndefined()
    expect(rule({})).toBeUndefined()
    expect(rule({ usedPerSecond: 0.03 })).toBeUndefined()
    expect(rule({ usedPerSecond: 0.12 })).toMatchObject({ level: 'warning' })
    expect(rule({ remaining: 19 })).toMatchObject({ level: 'critical' })
    // Without thresholds the server refuses and pauses nothing, as was tried: only the machine is slow.
    expect(rule({ remaining: 0, backgroundThreshold: 0, failoverThreshold: 0 })).toMatchObject({ level: 'warning' })
  })

  it('cpu-busy: two whole minutes, still so, and by whom', () => {
    const rule = (parts: { machine?: number; lately?: number; server?: number; count?: number }) => {
      const { machine = 99, lately = machine, server = 10, count = 118 } = parts
      const recent = (key: string, spanMs: number) => {
        const mean = key === 'cpu.machine' ? (spanMs < 60_000 ? lately : machine) : key === 'cpu.process' ? server : NaN
        return { mean, min: mean, max: mean, count }
      }
      return judge({ recent })
    }
    const found = rule({})
    expect(found).toMatchObject({ calm: true })
    expect(found.sentence).toMatch(/^No issues found.*, but CPU saturated: .*CPU at/)
    expect(only(found, 'cpu-busy')).toMatchObject({
      level: 'info',
      title: 'CPU saturated: the machine was 99.0 % busy over the last 2 minutes.',
      evidence: [
        expect.stringMatching(
          /^This server used 10\.0 % of its \d+ cores, other processes at least 89\.0 % of the machine\.$/,
        ),
        'Most of it is not this server: see what else runs on the machine.',
      ],
    })
    expect(only(rule({ server: 90 }), 'cpu-busy')?.evidence[1]).toContain('Most of it is this server')
    expect(only(rule({ machine: 94 }), 'cpu-busy')).toBeUndefined()
    // A server on one of two cores that uses all of it.
    const own = only(rule({ machine: 55, server: 99 }), 'cpu-busy')
    expect(own?.title).toMatch(/^CPU saturated: this server used 99\.0 % of its \d+ cores over the last 2 minutes\.$/)
    expect(own?.evidence).toEqual([
      'The machine was 55.0 % busy.',
      expect.stringMatching(/other processes an unknown share: the machine has more cores than this server sees\.$/),
      expect.stringContaining('Most of it is this server'),
    ])
    expect(only(rule({ lately: 40 }), 'cpu-busy')).toBeUndefined()
    expect(only(rule({ count: 30 }), 'cpu-busy')).toBeUndefined()
    expect(only(judge({ now: { cpu: null } }), 'cpu-busy')).toBeUndefined()
  })

  it('disk-full: by what is free, by what the server says, by how fast it shrinks', () => {
    const rule = (parts: Partial<ServerNow['volumes'][number]>) => only(judge({ now: volume(parts) }), 'disk-full')
    expect(rule({})).toBeUndefined()
    expect(rule({ isLow: true })).toMatchObject({ level: 'warning' })
    expect(rule({ freeBytes: (2 * GB) as Bytes })).toMatchObject({ level: 'warning' })
    expect(rule({ freeBytes: 1000 as Bytes })).toMatchObject({ level: 'critical' })
    expect(rule({ fullInMs: 2 * 86_400_000, shrinksBytesPerSecond: 1 })).toBeUndefined()
    expect(rule({ fullInMs: 5 * 3_600_000, shrinksBytesPerSecond: 6e6 })).toMatchObject({ level: 'warning' })
    expect(rule({ fullInMs: 1_800_000, shrinksBytesPerSecond: 6e7 })).toMatchObject({ level: 'critical' })
  })

  it('disk-full is not judged without a forecast, unless it is found', () => {
    const unknown = (parts: Partial<ServerNow['volumes'][number]>) =>
      judge({ now: volume({ shrinksBytesPerSecond: null, fullInMs: null, ...parts }) }).unknown.map(({ rule }) => rule)
    expect(unknown({})).toContain('disk-full')
    expect(unknown({ isLow: true })).not.toContain('disk-full')
    expect(unknown({ shrinksBytesPerSecond: 0 })).not.toContain('disk-full')
  })

  it('disk-queue: one that holds, and was reported', () => {
    const rule = (min: number, count: number) =>
      only(judge({ recent: () => ({ mean: min + 1, min, max: min + 5, count }) }), 'disk-queue')
    expect(rule(7, 15)).toBeUndefined()
    expect(rule(20, 3)).toBeUndefined()
    expect(rule(20, 15)).toMatchObject({ level: 'warning' })
    expect(rule(100, 15)).toMatchObject({ level: 'critical' })
  })

  it('gc-pauses: the share of a minute, or one long pause', () => {
    const rule = (recentPauseShare: number | null, longestMs: number) =>
      only(
        judge({
          now: { gc: { ...WELL.gc!, recentPauseShare } },
          recent: (key) => (key === 'gc.pauseMs' ? { mean: 1, min: 1, max: longestMs, count: 3 } : NOTHING),
        }),
        'gc-pauses',
      )
    expect(rule(null, 300)).toBeUndefined()
    expect(rule(0.15, 300)).toMatchObject({ level: 'warning' })
    expect(rule(0.01, 2000)).toMatchObject({ title: 'A garbage collection stopped the server for 2.00 s.' })
    expect(rule(0.4, 300)).toMatchObject({ level: 'critical' })
    // A share that is not known yet is not a share of nothing.
    expect(rule(null, 2000)?.evidence[0]).toMatch(/^[\d.]+ % of the time since the start in pauses\.$/)
  })

  it('server-alerts: errors of today are a warning, the rest is info, the server’s information none', () => {
    const alerts = [
      alert({ id: '1', severity: 'Error', title: 'Backup failed', database: 'orders' }),
      alert({ id: '2', severity: 'Error', createdTicks: ago(3 * 86_400_000) }),
      alert({ id: '3' }),
      alert({ id: '4', severity: 'Info' }),
      alert({ id: '5', kind: 'LicenseManager_AGPL3' }),
    ]
    expect(found(judge({ alerts }), 'server-alerts')).toMatchObject([
      { level: 'warning', title: 'Backup failed.', evidence: ['Database “orders”.'], sinceTicks: ago(60_000) },
      { level: 'info', title: 'The server raised 2 alerts.' },
    ])
    expect(judge({ alerts: alerts.slice(2) }).calm).toBe(true)
    const swap = alert({ id: '6', title: 'No swap file', message: "It is advised to set up a '8 GBytes' swap file" })
    expect(only(judge({ alerts: [swap] }), 'server-alerts')).toMatchObject({
      title: 'No swap file.',
      evidence: ["It is advised to set up a '8 GBytes' swap file"],
      reason: null,
    })
  })

  it('server-was-unresponsive: the newest one, and how often', () => {
    const silence = (fromMs: number, toMs: number) => ({ startTicks: ago(fromMs), endTicks: ago(toMs) })
    expect(only(judge(), 'server-was-unresponsive')).toBeUndefined()
    expect(
      only(judge({ silences: [silence(300_000, 270_000), silence(72_000, 60_000)] }), 'server-was-unresponsive'),
    ).toMatchObject({
      level: 'warning',
      title: 'The server was unresponsive for 12.0 s, 1 min ago.',
      evidence: ['It sent nothing, and a request was not answered.', '2 times within 10 minutes, the longest 30.0 s.'],
      sinceTicks: ago(72_000),
    })
  })

  it('restart', () => {
    const rule = (...starts: { readonly ms: number; readonly seen: boolean }[]) => {
      const restarts = starts.map(({ ms, seen }) => ({ startTicks: ago(ms), seen }))
      return only(judge({ now: { server: { ...WELL.server, restarts } } }), 'restart')
    }
    expect(rule({ ms: 60_000, seen: false })).toBeUndefined()
    expect(rule({ ms: 60_000, seen: true })).toMatchObject({ level: 'info', sinceTicks: ago(60_000) })
    expect(rule({ ms: 60_000, seen: true }, { ms: 120_000, seen: true })).toMatchObject({ level: 'warning' })
    expect(rule({ ms: 7_200_000, seen: true })).toBeUndefined()
  })

  it('licence and rights', () => {
    const expired = { type: 'Enterprise', status: 'Expired', expired: true }
    expect(only(judge({ now: { server: { ...WELL.server, licence: expired } } }), 'licence')).toMatchObject({
      level: 'warning',
    })
    const with_ = (kind: Lacking['kind']) => judge({ now: { watch: { ...WATCH, lacking: [lacking(kind)] } } })
    expect(only(with_('licence'), 'licence')).toMatchObject({ level: 'info' })
    expect(only(with_('right'), 'rights')).toMatchObject({
      level: 'info',
      evidence: ['Network. It needs Operator.'],
    })
    expect(found(with_('version'), 'rights')).toEqual([])
    const limited = judge({
      now: { databases: null, watch: { ...WATCH, lacking: [lacking('right')] } },
      states: new Map(),
    })
    expect(limited.sentence).toMatch(/^No issues found in what this certificate may read/)
  })

  it('cluster-node', () => {
    const base = recordedCluster()
    const other = { ...base.nodes[0]!, tag: 'B', isOwn: false, connected: false, connectionError: 'timed out' }
    const cluster = { ...base, leader: null, nodes: [...base.nodes, other] }
    expect(found(judge({ cluster }), 'cluster-node').map(({ id }) => id)).toEqual([
      'cluster-node:leader',
      'cluster-node:B',
    ])
  })
})
