import { faultsOf, readJournal } from '../../../../capture/archive/journal.ts'
import { journalOf, type TableName } from '../../../../capture/archive/manifest.ts'
import { readParquet } from '../../../../capture/archive/read-parquet.ts'
import { tableRowsOf } from '../../../../capture/archive/record-rows.ts'
import { listTar } from '../../../../capture/reading/tar.ts'
import type { Duck } from './duck.ts'
import type { DuckOrders, ReadJournals } from './protocol.ts'

/** Adds the rows of a file of an archive, and returns their number. */
export async function addParquet(
  duck: Pick<Duck, 'add'>,
  { table, node, blob, groups }: DuckOrders['parquet']['params'],
): Promise<number> {
  let count = 0
  for await (const rows of readParquet(table, blob, groups)) {
    duck.add(node, rows)
    count += rows.length
  }
  return count
}

/** Adds the rows of some tables from a journal, or from all journals of a tar. It ends above `most` rows. */
export async function addJournals(
  duck: Pick<Duck, 'add'>,
  { node, blob, tables, most }: DuckOrders['journals']['params'],
): Promise<ReadJournals> {
  if (node !== null) return addJournal(duck, node, blob, tables, most)
  let [count, lost]: [number, string | null] = [0, null]
  for (const { name, at, bytes } of await listTar(blob)) {
    const place = journalOf(name)
    if (place === null || count > most) continue
    const { rows, broken } = await addJournal(duck, place.node, blob.slice(at, at + bytes), tables, most - count)
    count += rows
    lost ??= broken
  }
  return { rows: count, goodBytes: 0, broken: lost }
}

async function addJournal(
  duck: Pick<Duck, 'add'>,
  node: string,
  blob: Blob,
  tables: readonly TableName[],
  most: number,
): Promise<ReadJournals> {
  let count = 0
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const end = readJournal(bytes, (record) => {
    const rows = count > most ? null : tableRowsOf(record)
    if (rows === null || !tables.includes(rows.table)) return
    duck.add(node, rows)
    count += rows.length
  })
  const { words } = faultsOf(end, bytes.length)
  return { rows: count, goodBytes: end.goodBytes, broken: words === '' ? null : words }
}
