import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import type { Ticks, TickSpan } from '../../base/ticks.ts'
import type { View } from '../../capture/client/view.ts'
import { decodeAddress, DEFAULT_VIEW, encodeAddress } from './url.ts'

const PANELS = ['databases', 'io']

const HOSTILE = [
  '__proto__',
  'constructor',
  'a&b=c#d',
  '🦜',
  'مبيعات',
  '%',
  '%41',
  '100%',
  'a+b',
  '<img src=x>',
  'a b',
  '..',
  '?v=9',
  'db:x',
  '"`',
]

const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }))
const tick = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER - 1 })

const views: fc.Arbitrary<View> = fc.record({
  sources: fc.uniqueArray(
    fc.oneof(
      fc.constant('server'),
      text.map((name) => `db:${name}`),
      text.map((name) => `file:${name}`),
    ),
    { maxLength: 6 },
  ),
  database: fc.constant(null),
  range: fc.option(
    fc.tuple(tick, fc.integer({ min: 1, max: 1_000_000_000 })).map(([start, span]) => ({
      startTicks: start as Ticks,
      endTicks: Math.min(start + span, Number.MAX_SAFE_INTEGER) as Ticks,
    })),
  ),
  liveSpan: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((span) => span as TickSpan),
  selection: fc.option(fc.oneof(text, fc.constant(''))),
  clock: fc.constantFrom('local', 'utc'),
  params: fc.dictionary(
    fc.oneof(
      text.map((key) => `io.${key}`),
      fc.constant('__proto__.x'),
    ),
    fc.oneof(text, fc.constant('')),
    { maxKeys: 5 },
  ),
})

describe('the address', () => {
  law('comes back as it went', [fc.constantFrom(...PANELS), views], { numRuns: 500 }, (panel, view) => {
    const decoded = decodeAddress(encodeAddress({ panel, view }), PANELS)
    expect(decoded.notes).toEqual([])
    expect(decoded.panel).toBe(panel)
    expect({ ...decoded.view, params: Object.entries(decoded.view.params) }).toEqual({
      ...view,
      params: Object.entries(view.params),
    })
  })

  law('survives the browser, which rewrites some characters of a hash', [views], (view) => {
    const hash = encodeAddress({ panel: 'io', view })
    expect(new URL(hash, 'http://127.0.0.1/studio/index.html').hash).toBe(hash)
  })

  law('reads any text without failing', [fc.string({ unit: 'binary' })], { numRuns: 500 }, (hash) => {
    const { panel, view } = decodeAddress(`#/io?${hash}`, PANELS)
    expect(PANELS).toContain(panel)
    expect(view.liveSpan).toBeGreaterThan(0)
    expect(decodeAddress(encodeAddress({ panel, view }), PANELS).notes).toEqual([])
  })

  it('reads well', () => {
    const view: View = {
      ...DEFAULT_VIEW,
      sources: ['server', 'db:Orders'],
      range: { startTicks: 2_173_410_906_364_827 as Ticks, endTicks: 2_173_410_966_364_827 as Ticks },
      params: { 'io.hide': 'DataSync,Compression' },
    }
    expect(encodeAddress({ panel: 'io', view })).toBe(
      '#/io?v=2&s=server&s=db:Orders&range=2173410906364827..2173410966364827&io.hide=DataSync,Compression',
    )
    expect(encodeAddress({ panel: 'databases', view: DEFAULT_VIEW })).toBe('#/databases?v=2')
  })

  it('lands on the first panel', () => {
    for (const hash of ['', '#', '#/'])
      expect(decodeAddress(hash, PANELS)).toEqual({ panel: 'databases', view: DEFAULT_VIEW, notes: [] })
  })

  it.each([
    ['#/stacks?v=2', 'There is no panel “stacks”.'],
    ['#/io?v=2&range=5..5', '“5..5” is not a range of time; live is shown.'],
    ['#/io?v=2&range=1e3..2e3', '“1e3..2e3” is not a range of time; live is shown.'],
    ['#/io?v=2&range=1..9999999999999999', '“1..9999999999999999” is not a range of time; live is shown.'],
    ['#/io?v=2&live=0', '“0” is not a length of time; the newest 60 s are shown.'],
    ['#/io?v=2&clock=mars', '“mars” is not a clock; local time is shown.'],
    ['#/io?v=2&s=http://evil', '“http://evil” is not a source.'],
    ['#/io?v=2&s=%E0%A4%A', '“s=%E0%A4%A” is not a readable part of a link.'],
    ['#/io?v=3', 'This link was made by a newer Rookery; what could be read of it is shown.'],
    ['#/io?v=one', '“one” is not a version of a link.'],
  ])('%s falls back and says so', (hash, note) => {
    const decoded = decodeAddress(hash, PANELS)
    expect(decoded.notes).toEqual([note])
    expect(decoded.view).toEqual(DEFAULT_VIEW)
  })

  it('lets nothing unknown through', () => {
    const { view, notes } = decodeAddress('#/io?v=2&token=secret&io.fold=0', PANELS)
    expect(view.params).toEqual({ 'io.fold': '0' })
    expect(notes).toEqual([])
  })

  it('is bounded: a link cannot make the page watch a thousand sources', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `s=db:t${String(index)}`).join('&')
    const { view, notes } = decodeAddress(`#/io?v=2&${many}`, PANELS)
    expect(view.sources).toHaveLength(50)
    expect(notes).toEqual(['At most 50 sources are watched at once; 950 were left out.'])
  })

  it('carries any range as one that the page takes again', () => {
    const edge = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(-6.529e17, 2.52e18, 2 ** 53, -(2 ** 53)))
    fc.assert(
      fc.property(edge, edge, (a, b) => {
        const range = { startTicks: Math.min(a, b) as Ticks, endTicks: Math.max(a, b) as Ticks }
        const hash = encodeAddress({ panel: 'io', view: { ...DEFAULT_VIEW, range } })
        const { view, notes } = decodeAddress(hash, PANELS)
        expect(notes).toEqual([])
        expect(encodeAddress({ panel: 'io', view })).toBe(hash)
      }),
    )
  })

  it('knows a database by its name in any case', () => {
    const { view, notes } = decodeAddress('#/io?v=2&s=db:demo&s=db:DEMO&s=file:a&s=file:A&s=db:Other', PANELS)
    expect(view.sources).toEqual(['db:demo', 'file:a', 'file:A', 'db:Other'])
    expect(notes).toEqual([])
  })

  it('moves edges between two ticks outwards', () => {
    const range = { startTicks: 10.7 as Ticks, endTicks: 20.2 as Ticks }
    expect(encodeAddress({ panel: 'io', view: { ...DEFAULT_VIEW, range } })).toContain('range=10..21')
  })
})

describe('the database in scope', () => {
  law('comes back as it went, where the sources do not imply it', [fc.option(text)], (database) => {
    const view: View = { ...DEFAULT_VIEW, sources: ['server', 'db:a', 'db:b'], database }
    expect(decodeAddress(encodeAddress({ panel: 'io', view }), PANELS)).toMatchObject({ view, notes: [] })
  })

  it('is the only database that is watched, whatever the link says', () => {
    expect(decodeAddress('#/io?v=2&s=db:a&db=b', PANELS).view.database).toBeNull()
  })

  it('is that of the page that a link of version 1 opened', () => {
    const { panel, view, notes } = decodeAddress('#/databases?v=1&databases.open=a%26b', ['databases', 'database'])
    expect({ panel, database: view.database, params: view.params, notes }).toEqual({
      panel: 'database',
      database: 'a&b',
      params: {},
      notes: [],
    })
  })
})

describe('the short form #open', () => {
  const panels = ['databases', 'io', 'files']

  it('is the panel of files with its drop area in focus', () => {
    for (const hash of ['#open', '#/open', 'open']) {
      const address = decodeAddress(hash, panels)
      expect(address).toMatchObject({ panel: 'files', notes: [] })
      expect(address.view).toEqual({ ...DEFAULT_VIEW, params: { 'files.focus': 'drop' } })
    }
  })

  it('keeps the rest of a link, and is written in full', () => {
    const { panel, view } = decodeAddress('#open?v=2&s=db:Orders', panels)
    expect(view.sources).toEqual(['db:Orders'])
    expect(encodeAddress({ panel, view })).toBe('#/files?v=2&s=db:Orders&files.focus=drop')
  })

  it('is unknown where there is no such panel', () => {
    expect(decodeAddress('#open', ['databases']).notes).toEqual(['There is no panel “open”.'])
  })
})
