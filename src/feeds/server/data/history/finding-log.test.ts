import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../../../testing/law.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { FindingLog } from './finding-log.ts'
import type { NotedFinding } from '../../contract/finding.ts'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks

const item = (id: string, parts: Partial<NotedFinding> = {}): NotedFinding => ({
  id,
  rule: id,
  level: 'warning',
  title: `${id} is unresponsive.`,
  sinceTicks: null,
  sinceIsBound: false,
  link: { panel: 'server', params: {}, sources: [], range: null },
  ...parts,
})

describe('the log of findings', () => {
  it('knows what is over, from when to when it was seen', () => {
    const log = new FindingLog()
    log.note([item('merger', { sinceTicks: at(90) })], at(100))
    log.note([item('merger', { sinceTicks: at(90) })], at(110))
    log.note([], at(130))
    expect(log.logged).toMatchObject([{ id: 'merger', isOver: false }])
    log.note([], at(141))
    expect(log.logged).toMatchObject([{ isOver: true, startTicks: at(90), lastTicks: at(110), times: 1 }])
  })

  it('has no finding that ends before it begins where the clock of the server is set back', () => {
    const log = new FindingLog()
    log.note([item('stays', { sinceTicks: at(4000) }), item('goes')], at(4100))
    log.note([item('stays', { sinceTicks: at(4000) })], at(500))
    expect(log.logged).toMatchObject([
      { id: 'goes', isOver: true, startTicks: at(4100), lastTicks: at(4100) },
      { id: 'stays', isOver: false, startTicks: at(500), startIsBound: true, lastTicks: at(500), times: 1 },
    ])
    log.note([item('stays', { sinceTicks: at(4000) })], at(510))
    expect(log.logged[1]).toMatchObject({ startTicks: at(500), lastTicks: at(510), times: 1 })
  })

  it('counts what comes again, and takes a figure that missed for no end', () => {
    const log = new FindingLog()
    for (const [seconds, there] of [
      [0, true],
      [5, false],
      [10, true],
      [45, false],
      [100, true],
      [140, false],
    ] as const)
      log.note(there ? [item('cpu')] : [], at(seconds))
    expect(log.logged).toMatchObject([
      { isOver: true, startTicks: at(100), lastTicks: at(100), times: 2, firstTicks: at(0) },
    ])
  })

  it('knows until when what was requested held, and when it was found to hold no more', () => {
    const log = new FindingLog()
    const held = (seconds: number) => ({ held: { ticks: at(seconds), isEnd: false } })
    log.note([item('index', { sinceTicks: at(90), ...held(95) })], at(100))
    // Judged again by what was requested at 110 s.
    log.note([item('index', { sinceTicks: at(90), ...held(110) })], at(112))
    log.note([item('index', { sinceTicks: at(90), ...held(110) })], at(125))
    log.note([], at(130))
    log.note([], at(160))
    expect(log.logged).toMatchObject([{ isOver: true, held: { ticks: at(110) }, goneTicks: at(130) }])
    // The finding comes again: when it was gone before is no end of this time.
    log.note([item('index', { sinceTicks: at(200), ...held(200) })], at(201))
    expect(log.logged[0]).not.toHaveProperty('goneTicks')
  })

  it('recognises a finding that lasted while no page was open', () => {
    const log = new FindingLog()
    log.note([item('alert', { sinceTicks: at(10) })], at(20))
    log.note([item('alert', { sinceTicks: at(10) })], at(4000))
    expect(log.logged).toMatchObject([{ startTicks: at(10), times: 1, isOver: false }])
  })

  it('continues from an earlier visit', () => {
    const before = new FindingLog()
    before.note([item('merger'), item('disk')], at(0))
    const log = new FindingLog()
    log.note([item('disk')], at(1000))
    log.restore(before.logged)
    log.note([item('disk')], at(1005))
    expect(log.logged).toMatchObject([
      { id: 'merger', isOver: true, lastTicks: at(0) },
      { id: 'disk', isOver: false, lastTicks: at(1005) },
    ])
  })

  it('leaves out what an older Rookery kept under other levels', () => {
    const log = new FindingLog()
    log.note([item('disk')], at(0))
    const [kept] = log.logged
    log.restore([
      { ...kept!, id: 'silent', level: 'harm' as never },
      { ...kept!, id: 'merger' },
    ])
    expect(log.logged.map(({ id }) => id)).toEqual(['merger', 'disk'])
  })

  it('keeps since when across a reload, whether what was kept is read before or after it is found again', () => {
    const before = new FindingLog()
    before.note([item('index', { sinceTicks: at(50), sinceIsBound: true }), item('disk')], at(100))
    before.note([item('index'), item('disk')], at(130))
    // Written once a minute: up to a minute is missing, and then the page loads.
    const late = new FindingLog()
    late.note([item('index', { sinceTicks: at(200), sinceIsBound: true })], at(200))
    late.restore(before.logged)
    expect(late.since('index', at(201))).toEqual({ ticks: at(50), isBound: true })
    const early = new FindingLog()
    early.restore(before.logged)
    early.note([], at(195))
    expect(early.since('disk', at(200))).toEqual({ ticks: at(100), isBound: false })
    early.note([item('disk', { sinceTicks: at(200), sinceIsBound: true })], at(200))
    expect(early.logged.at(-1)).toMatchObject({ id: 'disk', startTicks: at(100), startIsBound: false, times: 1 })
  })

  it('does not say of a long time without a page that it held all along', () => {
    const before = new FindingLog()
    before.note([item('index')], at(100))
    const log = new FindingLog()
    log.restore(before.logged)
    expect(log.since('index', at(401))).toBeNull()
    log.note([item('index', { sinceTicks: at(401), sinceIsBound: true })], at(401))
    expect(log.since('index', at(401))).toEqual({ ticks: at(401), isBound: true })
    expect(log.logged).toMatchObject([{ times: 2, firstTicks: at(100) }])
  })

  it('counts what comes and what is over, so that it is written down then', () => {
    const log = new FindingLog()
    log.note([item('index')], at(0))
    log.note([item('index')], at(5))
    expect(log.changes).toBe(1)
    log.note([], at(60))
    expect(log.changes).toBe(2)
  })

  law(
    'is bounded, whatever is found, and never ends before it begins',
    [fc.array(fc.tuple(fc.nat(100_000), fc.array(fc.nat(500), { maxLength: 40 })), { maxLength: 40 })],
    (notes) => {
      const log = new FindingLog()
      for (const [seconds, ids] of notes.toSorted(([a], [b]) => a - b))
        log.note(
          ids.map((id) => item(String(id))),
          at(seconds),
        )
      expect(log.logged.length).toBeLessThanOrEqual(200)
      for (const { startTicks, lastTicks, firstTicks, times } of log.logged) {
        expect(startTicks).toBeLessThanOrEqual(lastTicks)
        expect(firstTicks).toBeLessThanOrEqual(startTicks)
        expect(times).toBeGreaterThanOrEqual(1)
      }
    },
  )
})
