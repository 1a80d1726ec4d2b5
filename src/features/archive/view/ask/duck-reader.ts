import { readJournal } from '../../../../capture/archive/journal.ts'
import { journalOf, type TableName } from '../../../../capture/archive/manifest.ts'
import { readParquet } from '../../../../capture/archive/read-parquet.ts'
import { tableRowsOf } from '../../../../capture/archive/record-rows.ts'
import { listTar } from '../../../../capture/reading/tar.ts'
import type { Duck } from './duck.ts'
import type { DuckOrders } from './protocol.ts'

/** Adds the rows of a file of an archive. */
export async function addParquet(
  duck: Pick<Duck, 'add'>,
  { table, node, blob, groups }: DuckOrders['parquet']['params'],
): Promise<void> {
  for await (const rows of readParquet(table, blob, groups)) duck.add(node, rows)
}

/** Adds the rows of some tables from a journal, or from all journals of a tar. */
export async function addJournals(
  duck: Pick<Duck, 'add'>,
  { node, blob, tables }: DuckOrders['journals']['params'],
): Promise<void> {
  if (node !== null) return addJournal(duck, node, blob, tables)
  for (const { name, at, bytes } of await listTar(blob)) {
    const place = journalOf(name)
    if (place !== null) await addJournal(duck, place.node, blob.slice(at, at + bytes), tables)
  }
}

async function addJournal(
  duck: Pick<Duck, 'add'>,
  node: string,
  blob: Blob,
  tables: readonly TableName[],
): Promise<void> {
  readJournal(new Uint8Array(await blob.arrayBuffer()), (record) => {
    const rows = tableRowsOf(record)
    if (rows !== null && tables.includes(rows.table)) duck.add(node, rows)
  })
}
