import { emptyModel, recordedModel, unknownCluster } from '../../../testing/server/server-model.ts'
import { describe, expect, it } from 'vitest'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { formatTicks, parseTicks, type Ticks, TICKS_PER_MS, ticksFromMs } from '../../../base/ticks.ts'
import type { TriageFacts } from './facts.ts'
import { certificatesEnd } from './rules/answers/certificates.ts'
import { clusterLogStalled, nodePromotable, slowPing } from './rules/answers/cluster.ts'
import { databaseDisabled, systemTransaction } from './rules/answers/databases.ts'
import { staticIndexIdle } from './rules/answers/indexes.ts'
import { coresUnused } from './rules/answers/server.ts'
import { Checks } from './server-check.ts'

const NOW_MS = 1_777_000_000_000

function governorOf(answer: (key: string, database: string | undefined) => unknown) {
  const requested: string[] = []
  const json = (key: string, params: { readonly database?: string }): Promise<unknown> => {
    requested.push(params.database === undefined ? key : `${params.database} ${key}`)
    return Promise.resolve().then(() => answer(key, params.database))
  }
  return { governor: { json, env: { now: () => NOW_MS } } as unknown as Governor, requested }
}

describe('a check that the user began', () => {
  it('requests the server and loaded databases alone, and what failed is said', async () => {
    const model = recordedModel(NOW_MS)
    const { loaded } = model.databases
    expect(loaded.length).toBeGreaterThan(0)
    const { governor, requested } = governorOf((key, database) => {
      if (key === 'tombstones') throw new RavenError({ kind: 'refused', endpoint: '/x', status: 403 })
      if (key === 'transactions') return { 'tx-info': [] }
      if (key === 'databases')
        return {
          Databases: [
            { Name: 'off', Disabled: true, NodesTopology: { Members: [{ NodeTag: 'A' }], Rehabs: [{ NodeTag: 'B' }] } },
          ],
        }
      return key === 'ongoingTasks' ? { OngoingTasks: [] } : { Results: [], database }
    })
    const checks = new Checks()
    expect(checks.answersOf(model)).toBeNull()
    const check = await checks.run(model, governor)
    expect(new Set(requested.flatMap((each) => each.split(' ').slice(0, -1)))).toEqual(new Set(loaded))
    expect(check).toMatchObject({ databases: loaded.length, responses: requested.length - loaded.length })
    expect(check.failed.map(({ entry }) => entry)).toEqual(
      loaded.map((name) => `${name}: /databases/{database}/admin/tombstones/state`),
    )
    const answers = checks.answersOf(model)
    expect(answers?.own.transactions).toMatchObject({ kind: 'answered', value: [] })
    expect(answers?.own.build).toEqual({ kind: 'absent' })
    // Rules about nodes are judged live as in a package.
    for (const rule of [nodePromotable, coresUnused]) expect(rule.unknown({ answers } as TriageFacts)).toBeNull()
    expect(answers?.databases[0]?.answers).toMatchObject({
      tombstones: { kind: 'failed' },
      tasks: { kind: 'answered' },
    })
    // The list shows what is disabled, and nodes that catch up: a database that is not loaded is not requested.
    expect(answers?.databases.at(-1)).toMatchObject({
      name: 'off',
      answers: { record: { value: { isDisabled: true, members: ['A'], rehabs: ['B'] } }, counts: { kind: 'absent' } },
    })
    expect(checks.answersOf(emptyModel())).toBeNull()
  })
})

it('reads all pages of a long list, is joined while it runs, and is kept with its result', async () => {
  const all = Array.from({ length: 3000 }, (_, i) => ({ Name: `db-${String(i)}`, Disabled: i === 2999 }))
  const requested: string[] = []
  const json = (key: string, { start = '0', pageSize = '0' }: Readonly<Record<string, string>>): Promise<unknown> => {
    requested.push(key)
    return Promise.resolve(
      key === 'databases' ? { Databases: all.slice(Number(start), Number(start) + Number(pageSize)) } : { Results: [] },
    )
  }
  const governor = { json, env: { now: () => NOW_MS } } as unknown as Governor
  const model = emptyModel()
  const loaded = Array.from({ length: 60 }, (_, i) => `db-${String(i)}`)
  const totals = { total: 3000, online: 60, disabled: 1, offline: 2939, indexes: 0, alerts: 0 }
  Object.defineProperty(model, 'databases', { value: { loaded, totals: () => totals } })
  const checks = new Checks()
  expect(checks.of(model)).toEqual({ isRunning: false, last: null })
  const running = [checks.run(model, governor), checks.run(model, governor)]
  expect(checks.of(model)).toEqual({ isRunning: true, last: null })
  const [check, joined] = await Promise.all(running)
  expect(joined).toBe(check)
  expect(checks.of(model)).toEqual({ isRunning: false, last: check })
  expect(requested.filter((key) => key === 'databases')).toHaveLength(3)
  expect(check).toMatchObject({ databases: 50, unchecked: 10, unloaded: 2940, listed: 3000, total: 3000 })
  const facts = { answers: checks.answersOf(model) } as TriageFacts
  expect(databaseDisabled.find(facts).map(({ title }) => title)).toEqual(['The database “db-2999” is disabled.'])
  expect(staticIndexIdle.partly?.(facts)).toBe('10 more loaded databases were not checked.')
})

it('what lasted for moments at the check is not taken to last ever since', async () => {
  const at = formatTicks(ticksFromMs(NOW_MS - 10_000))
  const { governor } = governorOf((key) => {
    if (key === 'transactions')
      return { 'tx-info': [{ BasePath: '/d', Information: [{ StartTime: at, ThreadName: 'I', Flags: 'Read' }] }] }
    const log = { CommitIndex: 90, LastLogEntryIndex: 100, FirstEntryIndex: 1, LastCommitedTime: at }
    return key === 'clusterLog' ? { Log: log } : {}
  })
  const model = emptyModel()
  const checks = new Checks()
  await checks.run(model, governor)
  const answers = checks.answersOf(model)
  const nowTicks = (ticksFromMs(NOW_MS) + 7_200_000 * TICKS_PER_MS) as Ticks
  const facts = { answers, nowTicks } as TriageFacts
  expect(answers?.own.transactions).toMatchObject({ value: [{ path: '/d' }] })
  expect(systemTransaction.find(facts)).toEqual([])
  expect(clusterLogStalled.find(facts).map(({ level }) => level)).toEqual(['info'])
})

it('names the default election timeout as such where the settings are not known', async () => {
  const Result = [{ Url: 'http://b', SetupAlive: { Time: 400, Error: null } }]
  const evidence = async (settings: unknown): Promise<readonly string[] | undefined> => {
    const { governor } = governorOf((key) => {
      if (key === 'nodePing') return { Result }
      if (key === 'serverSettings' && settings === null) throw new RavenError({ kind: 'refused', endpoint: '/x' })
      return key === 'serverSettings' ? settings : {}
    })
    const model = emptyModel()
    const checks = new Checks()
    await checks.run(model, governor)
    return slowPing.find({ answers: checks.answersOf(model), cluster: unknownCluster() } as TriageFacts)[0]?.evidence
  }
  expect(await evidence({ Settings: [] })).toEqual(['The election timeout is 300 ms.'])
  expect(await evidence(null)).toEqual(['The default election timeout is 300 ms; the settings are not known.'])
})

describe('certificates', () => {
  /** Response of a secured 7.1.5 whose certificate ends in 45 s, and that of a client before; without keys. */
  const response = {
    Results: [
      { Name: 'Server Certificate', Thumbprint: '9D1B', NotAfter: '2026-11-27T17:12:57.0000000' },
      { Name: 'soon', Thumbprint: 'DB74', NotAfter: '2026-11-27T17:12:33.0000000' },
      { Name: 'later', Thumbprint: 'DB75', NotAfter: '2027-11-27T17:12:33.0000000' },
    ],
    LoadedServerCert: '9D1B',
  }

  async function found(at: string, body: unknown = response): Promise<[string, string][]> {
    const { governor } = governorOf((key) => (key === 'certificates' ? body : {}))
    const model = emptyModel()
    const checks = new Checks()
    await checks.run(model, governor)
    const facts = { answers: checks.answersOf(model), nowTicks: parseTicks(at) } as TriageFacts
    expect(certificatesEnd.unknown(facts)).toBeNull()
    return certificatesEnd.find(facts).map(({ level, title }) => [level, title])
  }

  it('that end soon, or ended, are found, that of the server first', async () => {
    expect(await found('2026-11-27T17:12:45Z')).toEqual([
      ['critical', 'The certificate of the server ends in 12.0 s.'],
      ['info', 'The client certificate “soon” ended 12.0 s ago.'],
    ])
    expect(await found('2026-11-20T17:12:57Z')).toEqual([
      ['warning', expect.stringMatching(/^The certificate of the server ends in 7 d/)],
      ['warning', expect.stringMatching(/^The client certificate “soon” ends in \d/)],
    ])
    expect(await found('2026-11-01T00:00:00Z')).toEqual([])
  })

  it('are none on a server that is not secured', async () => {
    expect(await found('2026-11-27T17:12:45Z', { Results: [], LoadedServerCert: null })).toEqual([])
  })
})
