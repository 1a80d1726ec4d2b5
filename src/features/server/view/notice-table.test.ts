import { expect, it } from 'vitest'
import { noticeTable } from './notice-table.ts'

/* Shapes as 7.1.5 sent them for pages that are too large, and as its source has them for the others. */

it('lists requests by kind', () => {
  const details = {
    Actions: {
      Query: [
        { Details: 'from T', NumberOfResults: 3000, PageSize: 2_147_483_647, Duration: 44, Occurrence: '2026-11-23' },
      ],
    },
  }
  expect(noticeTable(JSON.stringify(details))).toEqual({
    columns: ['Details', 'Number of results', 'Page size', 'Duration', 'Occurrence'],
    rows: [
      {
        Details: 'from T',
        'Number of results': '3,000',
        'Page size': '2,147,483,647',
        Duration: '44',
        Occurrence: '2026-11-23',
      },
    ],
    more: 0,
  })
})

it('lists documents by id, and counts what it leaves out', () => {
  const documents = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`d/${i}`, { Id: `d/${i}`, Size: 6_000_000, Date: '2026-11-23' }]),
  )
  const table = noticeTable(JSON.stringify({ HugeDocuments: documents }))
  expect(table?.rows[0]).toEqual({ Id: 'd/0', Size: '6,000,000', Date: '2026-11-23' })
  expect(table?.rows.length).toBe(50)
  expect(table?.more).toBe(10)
})

it.each(['', '{"Exception": "x"}', '{"Actions": {"Query": [{"Details": "cut', '[]', 'null'])('is none for %s', (text) =>
  expect(noticeTable(text)).toBeNull(),
)
