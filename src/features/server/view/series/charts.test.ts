import { formatBeat } from '../../../../base/text/figures.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { troubledServer } from '../../../../testing/server/fake-server.ts'
import { SERVER_NOW } from '../../../../testing/server/server-load.ts'
import type { ServerSeriesParams } from '../../../../feeds/server/contract/series.ts'
import { chartGroups, FIRST_CLOSED } from './charts.ts'
import { layoutCharts, rowAt } from './layout.ts'
import { formatSettings, parseSettings, SERVER_VIEWS } from '../params.ts'
import { formatUnit } from '../../../../base/text/format-unit.ts'
import { niceTop } from '../units.ts'

const params: ServerSeriesParams = { startTicks: SERVER_NOW, endTicks: SERVER_NOW, keys: [], maxPoints: 1 }
const { available } = await (await troubledServer(90)).capture().request('server.series', params)
const groups = chartGroups(available)

describe('the charts of the server', () => {
  it('show what there is and nothing else, volumes by their mount', () => {
    expect(chartGroups([])).toEqual([])
    expect(groups.map((group) => group.title)).toEqual([
      'CPU',
      'Requests and writes',
      'Indexing',
      'Transaction merger',
      'Memory',
      'Garbage collection',
      'Volume /var/lib/ravendb',
      'Volume /',
      'Machine network',
      'CPU credits',
    ])
    const drawn = groups.flatMap((group) => group.charts.flatMap((chart) => chart.series.map((info) => info.key)))
    expect(new Set(drawn)).toEqual(new Set(available.map((info) => info.key)))
    expect(drawn).toHaveLength(new Set(drawn).size)
  })

  it('have one unit a chart', () => {
    for (const chart of groups.flatMap((group) => group.charts))
      expect(new Set(chart.series.map((info) => info.unit))).toEqual(new Set([chart.unit]))
  })

  it('stand under each other without a gap, closed groups without their charts', () => {
    const layout = layoutCharts(groups, FIRST_CLOSED)
    let at = 0
    for (const row of layout.rows) {
      expect(row.topPx).toBe(at)
      at += row.heightPx
      expect(rowAt(layout, row.topPx + row.heightPx / 2)).toBe(row)
    }
    expect(layout.heightPx).toBe(at)
    expect(rowAt(layout, at)).toBeNull()
    expect(layout.charts.some((row) => row.group.id === 'gc')).toBe(false)
    expect(layoutCharts(groups, new Set()).charts.some((row) => row.group.id === 'gc')).toBe(true)
  })

  it('have round ends of their scales that hold the largest', () => {
    expect(niceTop(0, 'bytes')).toBe(1)
    expect(niceTop(97, 'perSecond')).toBe(100)
    expect(niceTop(2900, 'perSecond')).toBe(3000)
    expect(niceTop(1025, 'bytes')).toBe(1.5 * 1024)
    expect(niceTop(1000, 'bytes')).toBe(1000)
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), fc.constantFrom('bytes', 'ms'), (value, unit) => {
        const top = niceTop(value, unit)
        expect(top).toBeGreaterThanOrEqual(value * 0.999_99)
        expect(top).toBeLessThanOrEqual(value * 2.1)
      }),
    )
  })

  it('say every figure with its unit', () => {
    expect(formatUnit(Number.NaN, 'bytes')).toBe('—')
    expect(formatUnit(12.34, 'percent')).toBe('12.3 %')
    expect(formatUnit(1024 ** 2, 'bytesPerSecond')).toBe('1.00 MiB/s')
    expect(formatUnit(2.5, 'ms')).toBe('2.50 ms')
    expect(formatUnit(18.4, 'credits')).toBe('18.4 credits')
    expect(formatUnit(41, 'count')).toBe('41')
    expect([formatBeat(10_000_000), formatBeat(600_000_000), formatBeat(5_000_000)]).toEqual(['1 s', '1 min', '500 ms'])
  })

  it('keep what is open in the link', () => {
    expect(parseSettings({})).toEqual({ view: 'machine', closed: FIRST_CLOSED, table: false, show: '' })
    expect(parseSettings({ 'server.view': '__proto__' }).view).toBe('machine')
    const name = fc.string({ minLength: 1 }).filter((text) => text !== '-')
    fc.assert(
      fc.property(fc.constantFrom(...SERVER_VIEWS), fc.uniqueArray(name), fc.boolean(), (view, ids, table) => {
        const settings = { view, closed: new Set(ids), table, show: ids[0] ?? '' }
        const params = Object.fromEntries(Object.entries(formatSettings(settings)).filter(([, text]) => text !== ''))
        expect(parseSettings(params)).toEqual(settings)
      }),
    )
  })
})
