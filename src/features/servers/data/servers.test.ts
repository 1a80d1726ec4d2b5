import { beforeEach, expect, it } from 'vitest'
import type { ListedServer } from '../../../base/http/stand-alone.mjs'
import { Governor } from '../../../ravendb/governor/governor.ts'
import type { GovernorEnv } from '../../../ravendb/env.ts'
import { FakeRaven } from '../../../testing/fake-raven.ts'
import type { ServerFigures, ServerRow } from '../contract.ts'
import { describeServers, findingsCell, findingsOfAll, stateCell } from '../view/sentence.ts'
import { rowOf, serversResponses, worse } from './servers.ts'

const OWN = '/servers/a:8080'
const listed = (name: string, state: ListedServer['state'] = 'answers'): ListedServer => ({
  path: `/servers/${name}`,
  url: `http://${name}`,
  version: state === 'answers' ? '7.1.5' : null,
  state,
  why: state === 'silent' ? 'It is gone.' : '',
  sinceMs: 1000,
  answeredMs: state === 'silent' ? null : 1000,
  tookMs: state === 'silent' ? null : 5,
  waitingMs: null,
  replacedMs: null,
})
const now = (parts: object = {}): ServerFigures['now'] =>
  ({
    cpu: { machinePercent: 5 },
    memory: null,
    traffic: null,
    databases: null,
    volumes: [],
    server: {},
    watch: { withheld: null },
    ...parts,
  }) as never
/** Triage of 25 rules with so many findings, of which `open` have not judged; `isChecking`: figures are on their way. */
function triage(critical: number, warning: number, open = 0, isChecking = false): ServerFigures['triage'] {
  const items = (level: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `${level}${String(i)}`, level, title: `${level} ${String(i)}` }))
  const rules = Array.from({ length: 25 }, (_, i) => ({ rule: `r${String(i)}`, title: '', reason: '' }))
  const unknown = rules.slice(0, open).map(({ rule }) => ({ rule, isPartly: false, isSampled: false }))
  return {
    hasFigures: true,
    checking: isChecking ? { done: 25 - open, all: 25 } : null,
    items: items('critical', critical),
    more: [...items('warning', warning), ...items('info', 1)],
    rules,
    unknown,
  } as never
}
const row = (name: string, counts: [number, number] | null, state: ListedServer['state'] = 'answers'): ServerRow =>
  rowOf(listed(name, state), OWN, counts === null ? null : { now: now(), triage: triage(...counts), lastHour: null })

let list: readonly ListedServer[] = []
let raven: FakeRaven
let calls: string[] = []
let governor: Governor

beforeEach(() => {
  raven = new FakeRaven()
  calls = []
  const env: GovernorEnv = {
    ...raven.env,
    baseUrl: `http://127.0.0.1:8085${OWN}`,
    fetch: (url) => {
      calls.push(url)
      return Promise.resolve(Response.json({ Servers: list }))
    },
  }
  governor = new Governor({ ...env, tabs: null })
})

function handler() {
  const response = serversResponses({
    envOf: (baseUrl) => ({ ...raven.env, baseUrl }),
    watch: ({ baseUrl }) => {
      const name = baseUrl.replace(/.*\//, '')
      calls.push(`watch ${name}`)
      return {
        figures: () => ({ now: now(), triage: triage(0, 0), lastHour: null }),
        setHidden: (isHidden) => void calls.push(`${isHidden ? 'hide' : 'show'} ${name}`),
        close: () => void calls.push(`close ${name}`),
      }
    },
  }).responses['servers.list']
  return async () => (await response?.(null, governor, new AbortController().signal)) ?? []
}

it('watches the servers that answer, and ends with one that does not any more', async () => {
  const request = handler()
  list = [listed('a:8080'), listed('b'), listed('c', 'silent')]
  const rows = await request()
  expect(calls).toEqual(['http://127.0.0.1:8085/rookery/servers', 'watch a:8080', 'watch b'])
  expect(rows.map(({ path, isOwn, figures }) => [path, isOwn, figures !== null])).toEqual([
    ['/servers/c', false, false],
    [OWN, true, true],
    ['/servers/b', false, true],
  ])
  list = [listed('a:8080'), listed('b', 'silent'), listed('c')]
  calls = []
  await request()
  expect(calls.slice(1)).toEqual(['close b', 'watch c'])
})

it('ends with all when no page wants them any more, and hides with the page', async () => {
  const request = handler()
  list = [listed('a:8080'), listed('b')]
  await request()
  calls = []
  governor.setHidden(true)
  governor.setHidden(false)
  expect(calls).toEqual(['hide a:8080', 'hide b', 'show a:8080', 'show b'])
  await raven.clock.advance(20_000)
  await request()
  await raven.clock.advance(20_000)
  expect(calls.filter((call) => call.startsWith('close'))).toEqual([])
  await raven.clock.advance(11_000)
  expect(calls.slice(-2)).toEqual(['close a:8080', 'close b'])
  governor.setHidden(true)
  expect(calls.at(-1)).toBe('close b')
})

it('begins with few of many at once', async () => {
  const request = handler()
  list = Array.from({ length: 20 }, (_, i) => listed(`s${String(i)}`))
  for (const count of [5, 10, 15, 20, 20]) {
    const rows = await request()
    expect([rows.length, rows.filter(({ figures }) => figures !== null).length]).toEqual([20, count])
  }
})

it('has no list where the page has the whole origin', async () => {
  governor = new Governor({ ...raven.env, tabs: null })
  expect(await handler()()).toEqual([])
  expect(calls).toEqual([])
})

it('fails in a sentence where the stand-alone server is gone', async () => {
  list = null as never
  await expect(handler()()).rejects.toThrow('$.Servers')
  governor = new Governor({
    ...raven.env,
    baseUrl: `http://x${OWN}`,
    tabs: null,
    fetch: () => Promise.reject(new TypeError('gone')),
  })
  await expect(handler()()).rejects.toThrow('The stand-alone server did not report its servers')
})

it('sorts those that do not answer first, then by findings', () => {
  const rows = [
    row('a', [0, 0]),
    row('b', [0, 2]),
    row('c', null, 'silent'),
    row('d', [1, 0]),
    row('e', null),
    row('f', [1, 3]),
  ]
  expect(rows.toSorted(worse).map(({ path }) => path.slice(-1))).toEqual(['c', 'f', 'd', 'b', 'a', 'e'])
  expect(describeServers(rows)).toBe(
    '6 servers: 1 does not answer, 2 have critical findings, 1 has warnings, 1 is not judged yet.',
  )
  expect(describeServers([row('a', [0, 0]), row('b', [0, 0])])).toBe('2 servers: no findings.')
})

it('names the volume with the smallest share of free space, and judges nothing without figures', () => {
  const volumes = [
    { mount: '/', freeBytes: 10, totalBytes: 20, label: 'x' },
    { mount: '/data', freeBytes: 40, totalBytes: 100, label: 'y' },
  ]
  const judged = triage(0, 0)
  expect(rowOf(listed('a'), OWN, { now: now({ volumes }), triage: judged, lastHour: null })).toMatchObject({
    disk: { mount: '/data', freeBytes: 40, totalBytes: 100 },
    findings: { critical: 0, warning: 0, judged: 25 },
  })
  expect(rowOf(listed('a'), OWN, { now: now({ cpu: null }), triage: judged, lastHour: null })).toMatchObject({
    findings: null,
    disk: null,
  })
})

it('calls no server well before all that can be judged at once is judged, and counts the checks that judged', () => {
  const of = (judged: ServerFigures['triage']): ServerRow =>
    rowOf(listed('a'), OWN, { now: now(), triage: judged, lastHour: null })
  expect(of(triage(0, 0, 4)).findings).toMatchObject({ judged: 21, all: 25, isWhole: true })
  expect(describeServers([of(triage(0, 0, 4))])).toBe('1 server: no findings.')
  expect(describeServers([of(triage(0, 0, 13, true))])).toBe('1 server: 1 is not judged yet.')
})

it('lists the findings of all servers, critical ones first, without those for information', () => {
  const found = findingsOfAll([row('a', [0, 1]), row('b', [1, 1]), row('c', null, 'silent')])
  expect(found.map(({ finding, server }) => [finding.id, server.path.slice(-1)])).toEqual([
    ['critical0', 'b'],
    ['warning0', 'a'],
    ['warning0', 'b'],
  ])
})

it('shows no server as well whose CPU is saturated, and puts it before those with a free core', () => {
  const notes = (...titles: string[]) =>
    ({ ...triage(0, 0), more: titles.map((title) => ({ id: title, rule: 'x', level: 'info', title })) }) as never
  const of = (name: string, machinePercent: number, judged = notes()): ServerRow =>
    rowOf(listed(name), OWN, { now: now({ cpu: { machinePercent } }), triage: judged, lastHour: null })
  expect(findingsCell(of('a', 12))).toEqual({ tone: 'ok', words: 'none by 25 of 25 checks', note: null })
  expect(findingsCell(of('a', 12, notes('A.', 'B.')))).toMatchObject({
    tone: 'idle',
    note: 'For information: A. 1 more.',
  })
  const busy = of('b', 99.6)
  expect(findingsCell(busy)).toEqual({
    tone: 'warn',
    words: 'none by 25 of 25 checks, but CPU saturated',
    note: 'CPU at 100 % now.',
  })
  // Over the last minutes, though not in the last second.
  const over = [{ id: 'cpu-busy', rule: 'cpu-busy', level: 'info', title: '' }]
  for (const place of ['items', 'more'])
    expect(findingsCell(of('b', 90, { ...triage(0, 0), [place]: over } as never))).toMatchObject({
      tone: 'warn',
      note: 'CPU at 90 % now.',
    })
  const rows = [of('a', 12), busy]
  expect(rows.toSorted(worse).map(({ path }) => path.slice(-1))).toEqual(['b', 'a'])
  expect(describeServers(rows)).toBe('2 servers: 1 has a saturated CPU.')
})

it('says how long a server has not answered, also before it counts as away', () => {
  const of = (parts: Partial<ListedServer>) =>
    stateCell(rowOf({ ...listed('a'), ...parts }, OWN, { now: now(), triage: triage(0, 0), lastHour: null }), String)
  expect(of({})).toEqual({ tone: 'ok', words: 'answers', note: null })
  expect(of({ waitingMs: 400 }).words).toBe('answers')
  expect(of({ waitingMs: 7000 })).toMatchObject({ tone: 'warn', words: 'no answer for 7 s' })
  expect(of({ state: 'unknown', waitingMs: 3000 })).toMatchObject({ tone: 'busy', words: 'connecting for 3 s' })
  expect(of({ state: 'silent', sinceMs: 5, why: 'Gone.', waitingMs: 9000 })).toEqual({
    tone: 'error',
    words: 'does not answer since 5',
    note: 'Gone. Last answer: 1000.',
  })
})

it('says why a server that answers only its version cannot be judged, and puts it before warnings', () => {
  const watch = { withheld: 'Expected JSON, came an HTML page (status 403).' }
  const figures = { now: now({ cpu: null, watch }), triage: triage(0, 0), lastHour: null } as ServerFigures
  const refused = rowOf(listed('z'), OWN, figures)
  expect(stateCell(refused, String)).toEqual({
    tone: 'warn',
    words: 'answers without figures',
    note: 'Only its version is known. Expected JSON, came an HTML page (status 403).',
  })
  const rows = [row('a', [0, 1]), refused, row('b', [1, 0])]
  expect(rows.toSorted(worse).map(({ path }) => path.slice(-1))).toEqual(['b', 'z', 'a'])
  expect(describeServers(rows)).toBe('3 servers: 1 has critical findings, 1 has warnings, 1 gives no figures.')
})

it('says that another server answers at an address, and puts it before those with findings', () => {
  const other = rowOf({ ...listed('z'), replacedMs: 7 }, OWN, { now: now(), triage: triage(0, 0), lastHour: null })
  expect(stateCell(other, String)).toEqual({
    tone: 'warn',
    words: 'another server',
    note: 'Another server than before answers here since 7: its id changed.',
  })
  const rows = [row('a', [1, 0]), other]
  expect(rows.toSorted(worse).map(({ path }) => path.slice(-1))).toEqual(['z', 'a'])
  expect(describeServers(rows)).toBe('2 servers: 1 is another server than before, 1 has critical findings.')
})
