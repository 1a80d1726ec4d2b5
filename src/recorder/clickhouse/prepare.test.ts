import { expect, onTestFinished, test } from 'vitest'
import { clickHouseFront } from '../../testing/server/clickhouse-front.ts'
import { ClickHouse } from './client.ts'
import { prepareDatabase } from './prepare.ts'
import { SENT_TABLES } from './schema.ts'

const DAYS = { events: 3, slow: 30, seconds: 30, minutes: 365, rest: 30 }
const ENGINE = 'AggregatingMergeTree PARTITION BY toYYYYMM(hour_ticks) ORDER BY (node, feed, hour_ticks)'
const limit = (feed: string, days: number): string => `toDateTime(hour_ticks) + toIntervalDay(${String(days)}) ${feed}`

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
      ['SELECT max(version)', '{"version":3}'],
    ]
    return { status: 200, text: `${answers.find(([start]) => sql.startsWith(start))?.[1] ?? ''}\n` }
  })
  onTestFinished(front.close)
  await prepareDatabase(new ClickHouse({ url: front.url, database: 'kept', user: 'me', password: '' }), DAYS)
  return changes
}

test('an upgrade limits the contents of new feeds, and leaves the limits that a user has set', async () => {
  const own = limit("WHERE feed = 'io'", 400)
  const [change = '', ...more] = await changesOf(` TTL ${own}`)
  expect(more).toEqual([])
  expect(change).toContain(`MODIFY TTL ${own}, `)
  const feeds = Array.from(change.matchAll(/feed = '([^']+)'/g), ([, feed]) => feed)
  expect([feeds.length, new Set<unknown>(feeds)]).toEqual([SENT_TABLES.length, new Set(SENT_TABLES)])
  const all = SENT_TABLES.map((feed) => limit(`WHERE feed = '${feed}'`, 400)).join(', ')
  expect(await changesOf(` TTL ${all}`)).toEqual([])
  expect(await changesOf(` TTL ${limit('', 400)}`)).toEqual([])
  expect(await changesOf('')).toEqual([])
})
