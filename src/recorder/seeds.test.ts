import { expect, test } from 'vitest'
import { TICKS_PER_MS } from '../base/ticks.ts'
import { IoFeed } from '../feeds/io/data/feed.ts'
import { refill } from './refill.ts'
import { ioSeeds } from './seeds.ts'

test('seeds have the last events of each file that the server may report again, however many came in later files', () => {
  const { store } = new IoFeed()
  const counts = { '1.journal': 300, '2.journal': 40_000, '3.journal': 7 }
  let at = 0
  for (const [file, count] of Object.entries(counts)) {
    const starts = Array.from({ length: count }, () => ++at * TICKS_PER_MS)
    const same = starts.map(() => 10)
    const none = starts.map(() => -1)
    refill(store, {
      t: 'io',
      source: 'db:shop',
      path: '/data/shop',
      type: 'Documents',
      kind: 'JournalWrite',
      file,
      c: [starts, same, same, none, none, none],
    })
  }
  const seeds = [...ioSeeds(store)].flatMap((record) =>
    record.t === 'io' ? [[record.file, record.c[0]?.length, (record.c[0]?.at(-1) ?? 0) / TICKS_PER_MS]] : [],
  )
  expect(seeds.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['1.journal', 256, 300],
    ['2.journal', 256, 40_300],
    ['3.journal', 7, 40_307],
  ])
})
