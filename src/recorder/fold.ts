import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { msFromTicks, type Ticks } from '../base/ticks.ts'
import { type ArchiveFile, journalPath } from '../capture/archive/manifest.ts'
import { clockOf, type Folder } from './folder.ts'
import { encodeTable } from './parquet.ts'
import type { Pending } from './pending.ts'

interface FoldedNode {
  readonly name: string
  readonly url: string
}

/**
 * Writes pending rows to files, which from then on replace the journals before `journal`; those are removed. If the
 * process ends at any point, the fold either did not happen or the next start completes it. Errors: `DiskFull`.
 */
export async function fold(
  folder: Folder,
  node: FoldedNode,
  pending: Pending,
  journal: number,
): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = []
  const hours = pending.hours(node.name)
  for (const { table, day, minTicks, maxTicks, groups } of pending.parts()) {
    const { bytes, rows } = encodeTable(table, groups())
    if (rows === 0) continue
    const name = `${clockOf(minTicks as Ticks, msFromTicks)}-${String(journal)}`
    const path = `${table}/node=${node.name}/day=${day}/${name}.parquet`
    folder.write(path, bytes)
    files.push({ path, table, node: node.name, day, rows, bytes: bytes.length, minTicks, maxTicks })
    // Lets sockets be read between two files.
    await new Promise((done) => setImmediate(done))
  }
  const before = (await folder.journals(node.name)).filter((number) => number < journal)
  folder.commit({ ...node, journal }, files, hours)
  for (const number of before) {
    const path = journalPath(node.name, number)
    await rm(join(folder.path, path), { force: true })
    folder.journalBytes.delete(path)
  }
  return files
}
