import { createDatabase, json } from '../../tools/ravendb/client.mjs'
import { expect, test } from '../support/raven.ts'
import { summaryOf } from '../support/studio.ts'

/** On Linux the server takes a backslash of a name for a separator of folders, and writes a NUL as `\u0000`. */
const COLLECTIONS = [
  String.raw`back\slash`,
  String.raw`other\slash`,
  'slash',
  'a\u0000b',
  'new\nline',
  'x/y',
  'U\u202Ee',
]

test('I/O calls indexes as their definitions do, whatever folders the server made of their names @full', async ({
  page,
  raven,
}) => {
  await createDatabase(raven.url, 'named')
  const stop = new AbortController()
  for (const [at, collection] of COLLECTIONS.entries()) {
    await json(raven.url, `/databases/named/docs?id=doc-${at}`, {
      method: 'PUT',
      body: { n: at, '@metadata': { '@collection': collection } },
    })
    const query = encodeURIComponent(`from ${JSON.stringify(collection)} where n > 1`)
    // The query makes the index; the server never responds to a name with a NUL.
    json(raven.url, `/databases/named/queries?query=${query}`, { signal: stop.signal }).catch(() => undefined)
  }
  let names: readonly string[] = []
  await expect
    .poll(async () => {
      const answer = (await json(raven.url, '/databases/named/indexes?namesOnly=true')) as { Results: string[] }
      names = answer.Results
      return names.length
    })
    .toBe(COLLECTIONS.length)
  stop.abort()
  await page.goto(raven.studio('#/io?v=1&s=db:named'))
  await expect
    .poll(async () => {
      const rows = (await summaryOf(page)).rows.filter(({ environmentPath }) => environmentPath.includes('/Indexes/'))
      return [...new Set(rows.map(({ environment }) => environment))].toSorted()
    })
    .toEqual(names.toSorted())
})
