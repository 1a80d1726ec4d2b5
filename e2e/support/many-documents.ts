import { bulk, put, putIndexes } from '../../tools/ravendb/client.mjs'

const PER_TRANSACTION = 10_000

const map = (name: string, fields: string) => ({ Name: name, Maps: [`from d in docs.Things select new { ${fields} }`] })
/** Ends its batches at so many documents, so that it has a dozen of them. */
const capped = { Configuration: { 'Indexing.MapBatchSize': '8192' } }

/** Six indexes over documents of three numbers: five maps, two of which are capped, and a map-reduce. */
const INDEXES = [
  map('Things/ByA', 'd.A'),
  map('Things/ByB', 'd.B'),
  map('Things/ByA/And/B', 'd.A, d.B'),
  { ...map('Things/ByC', 'd.C'), ...capped },
  { ...map('Things/BySum', 'Sum = d.A + d.B'), ...capped },
  {
    ...map('Things/CountByC', 'd.C, Count = 1'),
    Reduce: 'from r in results group r by r.C into g select new { C = g.Key, Count = g.Sum(x => x.Count) }',
  },
]

/** Writes so many small documents while indexes rest, and has all six index them at once. Resolves when none is behind. */
export async function indexMany(url: string, database: string, documents: number): Promise<void> {
  const path = `${url}/databases/${database}`
  await putIndexes(url, database, INDEXES)
  await fetch(`${path}/admin/indexes/stop`, { method: 'POST' })
  await writeMany(url, database, documents)
  await fetch(`${path}/admin/indexes/start`, { method: 'POST' })
  await indexed(url, database)
}

/** Writes so many small documents. */
export async function writeMany(url: string, database: string, documents: number): Promise<void> {
  for (let from = 0; from < documents; from += PER_TRANSACTION) {
    const numbers = Array.from({ length: Math.min(PER_TRANSACTION, documents - from) }, (_, i) => from + i)
    await bulk(
      url,
      database,
      numbers.map((n) => put(`things/${n}`, 'Things', { A: n, B: n % 977, C: n % 13 })),
    )
  }
}

/** Resolves when no index is behind. */
export async function indexed(url: string, database: string): Promise<void> {
  for (;;) {
    const { Indexes } = (await (await fetch(`${url}/databases/${database}/stats`)).json()) as {
      Indexes: { IsStale: boolean }[]
    }
    if (Indexes.every(({ IsStale }) => !IsStale)) return
    await new Promise((done) => setTimeout(done, 500))
  }
}
