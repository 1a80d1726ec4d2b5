import { describe, expect, it } from 'vitest'
import { parseTicks } from '../../base/ticks.ts'
import { readNoticeDetails, type NoticeValue } from './notice-details.ts'

/* Shapes as 7.1.5 sent them for pages that are too large, and as the official Studio reads them for the others. */

const AT = '2026-11-23T01:02:03.0000000Z'
const at: NoticeValue = { unit: 'time', value: parseTicks(AT) }
const text = (value: string): NoticeValue => ({ unit: 'text', value })
const bytes = (value: number): NoticeValue => ({ unit: 'bytes', value })
const ms = (value: number): NoticeValue => ({ unit: 'ms', value })
const count = (value: number): NoticeValue => ({ unit: 'count', value })

describe('details of a notification', () => {
  it('that are requests by kind are a table with the kind first', () => {
    const one = {
      Details: 'from T',
      NumberOfResults: 3000,
      PageSize: 2_147_483_647,
      Duration: 44,
      TotalDocumentsSizeInBytes: 5,
      Occurrence: AT,
    }
    expect(readNoticeDetails({ $type: 'Raven.X', Actions: { Query: [one] } })).toEqual({
      facts: [],
      columns: [
        'Action',
        'Details',
        'Number of results',
        'Page size',
        'Duration',
        'Total documents size',
        'Occurrence',
      ],
      rows: [[text('Query'), text('from T'), count(3000), text('no limit'), ms(44), bytes(5), at]],
      more: 0,
    })
  })

  it('that are documents by id name each once, and count what is left out', () => {
    const documents = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`d/${i}`, { Id: `d/${i}`, Size: 6_000_000, Date: AT }]),
    )
    const details = readNoticeDetails({ HugeDocuments: documents })
    expect(details?.columns).toEqual(['Document', 'Size', 'Date'])
    expect(details?.rows[0]).toEqual([text('d/0'), bytes(6_000_000), at])
    expect([details?.rows.length, details?.more]).toEqual([50, 10])
  })

  it('that are slow writes have sizes, times and speeds with their units', () => {
    const write = { Type: 'Journal', Path: '/a', DataWrittenInMb: 2, DurationInSec: 4, SpeedInMbPerSec: 0.5, Date: AT }
    expect(readNoticeDetails({ Writes: { '/a': write } })).toMatchObject({
      columns: ['File', 'Type', 'Data written', 'Duration', 'Speed', 'Date'],
      rows: [
        [text('/a'), text('Journal'), bytes(2 * 2 ** 20), ms(4000), { unit: 'bytesPerSecond', value: 2 ** 19 }, at],
      ],
    })
  })

  it('that are slow requests are by path', () => {
    const details = { RequestLatencies: { '/queries': [{ Duration: 9000, Date: AT, Query: 'from X' }] } }
    expect(readNoticeDetails(details)).toMatchObject({
      columns: ['Request', 'Duration', 'Date', 'Query'],
      rows: [[text('/queries'), ms(9000), at, text('from X')]],
    })
  })

  it('that lie in one another keep what is around them', () => {
    const warning = { LastWarningTime: AT, Top10LoadedReferences: { 'c/1': { ReferenceId: 'c/1', NumberOfLoads: 7 } } }
    expect(readNoticeDetails({ Warnings: { 'A/B': warning } })).toMatchObject({
      columns: ['Index', 'Last warning time', 'Document', 'Number of loads'],
      rows: [[text('A/B'), at, text('c/1'), count(7)]],
    })
  })

  it('of an unknown kind are names and values', () => {
    expect(readNoticeDetails({ Exception: 'x\n   at y', Limits: { Memory: 5, Note: 'n' }, Nodes: ['A', 'B'] })).toEqual(
      {
        facts: [{ name: 'Exception', value: text('x\n   at y') }],
        columns: ['Limits', 'Value', 'Nodes'],
        rows: [
          [text('Memory'), count(5), null],
          [text('Note'), text('n'), null],
          [null, null, text('A')],
          [null, null, text('B')],
        ],
        more: 0,
      },
    )
    expect(readNoticeDetails('words')).toMatchObject({ facts: [{ name: 'Details', value: text('words') }] })
  })

  it.each([[null], [undefined], [{}], [[]], [''], [{ $type: 'X', A: null, B: {} }]])('are none for %j', (details) =>
    expect(readNoticeDetails(details)).toBeNull(),
  )

  it('are bounded, whatever the server sends', () => {
    let deep: object = { Leaf: 1 }
    for (let i = 0; i < 100; i++) deep = { Deeper: deep }
    expect(readNoticeDetails(deep)).toBeNull()
    const long = readNoticeDetails({ A: 'x'.repeat(100_000), List: [{ B: 'y'.repeat(100_000) }] })
    expect(JSON.stringify(long).length).toBeLessThan(10_000)
  })
})
