import { describe, expect, it } from 'vitest'
import { lengthOf } from './io-events.ts'
import { labelRows } from './label-rows.ts'
import { Outline, parseOutline } from './outline.ts'
import { quantityOf } from './quantity.ts'
import { Recorder } from './recorder.ts'
import { Report } from './report.ts'
import { nearestRank } from './statistics.ts'

describe('quantityOf', () => {
  it.each([
    ['1,204', 1204, 1, ''],
    ['12.3 %', 0.123, 0.001, '%'],
    ['< 0.01 %', 0.00005, 0.0001, '%'],
    ['≈ 48.5 /s', 48.5, 0.1, '/s'],
    ['1.50 KiB', 1536, 10.24, 'B'],
    ['785 KiB/s', 803_840, 1024, 'B/s'],
    ['0 B', 0, 1, 'B'],
    ['160 µs', 0.16, 0.001, 'ms'],
    ['1.24 s', 1240, 10, 'ms'],
    ['2 min 3 s', 123_000, 1000, 'ms'],
    ['3 h', 10_800_000, 3_600_000, 'ms'],
    ['7.00/s', 7, 0.01, '/s'],
    ['112 writes/s', 112, 1, ''],
    ['−6.4 ms', -6.4, 0.1, 'ms'],
    ['218 ms Documents 09:17:39.589', 218, 1, 'ms'],
  ] as const)('reads %s', (text, value, step, unit) => {
    const quantity = quantityOf(text)
    expect(quantity?.value).toBeCloseTo(value, 9)
    expect(quantity?.step).toBeCloseTo(step, 9)
    expect(quantity?.unit).toBe(unit)
  })

  it('finds none in a dash or in words', () => {
    expect(quantityOf('—')).toBeUndefined()
    expect(quantityOf('in use')).toBeUndefined()
  })
})

describe('Outline', () => {
  const outline = new Outline(
    parseOutline(`- main:
  - status: "2 databases: 2 online"
  - region "Vital signs":
    - term: Up
    - definition: 57 s
    - definition: RavenDB 7.1.5
    - term: Requests
    - definition: 7.00/s
  - table "Databases":
    - rowgroup:
      - row "Choose Name Documents":
        - columnheader "Choose"
        - columnheader "Name":
          - button "Name"
        - columnheader "Documents"
    - rowgroup:
      - 'row "Choose a: b a: b 1,204"':
        - 'cell "Choose a: b"':
          - checkbox "Choose a: b"
        - 'cell "a: b Details of a: b"':
          - text: "a: b"
          - 'button "Details of a: b"'
        - cell "1,204"`),
  )

  it('has the cells of a table by row and column', () => {
    expect(outline.table('Databases')?.cell('a: b', 'Documents')).toBe('1,204')
    expect(outline.table('Databases')?.cell('a: b', 'Size')).toBeUndefined()
    expect(outline.table('Databases')?.cell('c', 'Documents')).toBeUndefined()
  })

  it('has the definitions of a term, and texts', () => {
    expect(outline.term('Up')).toEqual(['57 s', 'RavenDB 7.1.5'])
    expect(outline.find('status')?.text).toBe('2 databases: 2 online')
  })
})

describe('Report', () => {
  const verdicts = (report: Report): boolean[] => report.checked.map(({ isTrue }) => isTrue)

  it('allows the rounding shown, and no more', () => {
    const report = new Report()
    report.claim('I/O', { figure: 'Bytes', shown: '12.3 MiB', truth: 12.349 * 2 ** 20 })
    report.claim('I/O', { figure: 'Bytes', shown: '12.3 MiB', truth: 12.36 * 2 ** 20 })
    report.claim('I/O', { figure: 'Count', shown: '242', truth: 243 })
    expect(verdicts(report)).toEqual([true, false, false])
    expect(report.figures).toBe(2)
  })

  it('allows what a figure was meanwhile, and a stated tolerance', () => {
    const report = new Report()
    report.claim('Server', { figure: 'Free', shown: '15', truth: { least: 10, most: 20 } })
    report.claim('Server', { figure: 'Free', shown: '22', truth: { least: 10, most: 20 } })
    const allow = { relative: 0.1, why: 'other ends of its interval' }
    report.claim('Server', { figure: 'Free', shown: '22', truth: { least: 10, most: 20 }, allow })
    expect(verdicts(report)).toEqual([true, false, true])
  })

  it('takes what is not shown, or has no truth, for false', () => {
    const report = new Report()
    report.claim('Server', { figure: 'Free', shown: undefined, truth: 0 })
    report.claim('Server', { figure: 'Free', shown: '—', truth: 0 })
    report.claim('Server', { figure: 'Free', shown: '0', truth: undefined })
    report.claim('Server', { figure: 'Free', shown: '0', truth: Number.NaN })
    expect(verdicts(report)).toEqual([false, false, false, false])
  })
})

describe('Recorder', () => {
  it('reports a rate between two moments, and what a level was', async () => {
    let sum = 0
    const recorder = new Recorder(20, () => Promise.resolve({ sum: (sum += 1) }))
    const beganMs = Date.now()
    recorder.start()
    while (Date.now() - beganMs < 500) await new Promise((later) => setTimeout(later, 20))
    await recorder.stop()
    const rate = recorder.rate('sum', beganMs + 100, beganMs + 400, { leastMs: 0, mostMs: 0 })
    expect(rate?.least).toBeGreaterThan(5)
    expect(rate?.most).toBeLessThan(51)
    expect(recorder.range('sum', beganMs, beganMs + 1000)).toEqual({ least: 1, most: sum })
    expect(recorder.range('nothing', beganMs, beganMs + 1000)).toBeUndefined()
  })
})

it('counts ranks by hand', () => {
  expect(nearestRank([1, 2, 3, 4], 0.5)).toBe(2)
  expect(nearestRank([1, 2, 3, 4], 0.99)).toBe(4)
  expect(nearestRank([], 0.5)).toBeNaN()
})

it('measures spans that overlap once, and none that is empty', () => {
  expect(
    lengthOf([
      [5, 9],
      [0, 2],
      [1, 3],
      [8, 4],
    ]),
  ).toBe(7)
})

it('reads the rows of a lane of labels', () => {
  const outline = new Outline(
    parseOutline(`- group "Bottleneck: evidence":
  - table:
    - rowgroup:
      - row "From For Bottleneck Evidence":
        - columnheader "From"
        - columnheader "For"
        - columnheader "Bottleneck"
        - columnheader "Evidence"
    - rowgroup:
      - row "2026-11-25 03:08:50 1 min 20 s CPU The machine was 99 % busy.":
        - cell "2026-11-25 03:08:50"
        - cell "1 min 20 s"
        - rowheader "CPU"
        - cell "The machine was 99 % busy."`),
  )
  expect(labelRows(outline, 'Bottleneck')).toMatchObject([
    {
      fromMs: Date.UTC(2026, 10, 25, 3, 8, 50),
      lengthMs: 80_000,
      title: 'CPU',
      evidence: 'The machine was 99 % busy.',
    },
  ])
  expect(labelRows(outline, 'Operations')).toEqual([])
})
