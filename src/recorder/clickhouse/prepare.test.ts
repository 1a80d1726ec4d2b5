import { expect, onTestFinished, test } from 'vitest'
import { clickHouseFront } from '../../testing/server/clickhouse-front.ts'
import { ClickHouse } from './client.ts'
import { prepareDatabase } from './prepare.ts'
import { contentsTtlChange, SCHEMA_VERSION, SENT_TABLES } from './schema.ts'

const DAYS = { events: 3, slow: 30, seconds: 30, minutes: 365, rest: 30 }
const ENGINE = 'AggregatingMergeTree PARTITION BY toYYYYMM(hour_ticks) ORDER BY (node, feed, hour_ticks)'
const limit = (feed: string, days: number): string =>
  `toDateTime(intDiv(hour_ticks, 10000000), 'UTC') + toIntervalDay(${String(days)}) ${feed}`

/** Change of a TTL in tables that were made with the version `first` and have version 3. */
const changeOf = (ttl: string, first = 1): string | null => contentsTtlChange(DAYS, ttl, { first, newest: 3 })

/** Changes of the TTL of a `contents` table with this one, when the tables of an earlier version are prepared. */
async function changesOf(ttl: string): Promise<string[]> {
  const changes: string[] = []
  const front = await clickHouseFront(({ sql }) => {
    if (sql.startsWith('ALTER TABLE contents')) changes.push(sql)
    const answers: readonly (readonly [string, string])[] = [
      ['SELECT version()', '26.9.2.1'],
      ['SELECT engine_full', JSON.stringify({ engine_full: `${ENGINE}${ttl} SETTINGS index_granularity = 8192` })],
      ['SELECT count() AS tables', '{"tables":"1"}'],
      ['SELECT count() AS found', '{"found":"1"}'],
      ['SELECT min(version)', '{"first":1,"newest":3}'],
    ]
    return { status: 200, text: `${answers.find(([start]) => sql.startsWith(start))?.[1] ?? ''}\n` }
  })
  onTestFinished(front.close)
  await prepareDatabase(new ClickHouse({ url: front.url, database: 'kept', user: 'me', password: '' }), DAYS)
  return changes
}

const feedsOf = (change: string): (string | undefined)[] =>
  Array.from(change.matchAll(/feed = '([^']+)'/g), ([, feed]) => feed)

test('an upgrade limits the contents of new feeds only, and leaves the limits that a user has set or removed', async () => {
  const own = limit("WHERE feed = 'gaps'", 400)
  const [change = '', ...more] = await changesOf(` TTL ${own}`)
  expect(more).toEqual([])
  expect(change).toContain(`MODIFY TTL ${own}, `)
  expect(feedsOf(change)).toEqual(['gaps', 'configuration', 'logs', 'stacks'])
  expect(feedsOf(changeOf(own, 2) ?? '')).toEqual(['gaps', 'logs', 'stacks'])
  expect(feedsOf(changeOf(own, 3) ?? '')).toEqual(['gaps', 'stacks'])
  // The first version of these tables has limited all feeds.
  expect(changeOf(own, SCHEMA_VERSION)).toBeNull()
  expect(changeOf(SENT_TABLES.map((feed) => limit(`WHERE feed = '${feed}'`, 400)).join(', '))).toBeNull()
  expect(changeOf(limit("WHERE feed IN ('logs', 'configuration', 'stacks')", 400))).toBeNull()
  expect(changeOf('')).toBeNull()
})

test.each([
  [limit('', 400)],
  [`${limit('', 400)}, ${limit("WHERE feed = 'io'", 3)}`],
  [limit("TO VOLUME 'cold'", 400)],
  [limit("WHERE feed != 'io'", 400)],
  [limit("WHERE (feed = 'io') OR (node = 'a')", 400)],
])('an upgrade adds no limit to %s', (ttl) => {
  expect(changeOf(ttl)).toBeNull()
})

test('an upgrade adds limits to an entry that moves rows', () => {
  const ttl = `${limit("TO VOLUME 'cold'", 30)}, ${limit("WHERE feed = 'io'", 3)}`
  const change = changeOf(ttl)
  expect(feedsOf(change ?? '')).toEqual(['io', 'configuration', 'logs', 'stacks'])
})
