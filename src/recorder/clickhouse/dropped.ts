import { msFromTicks, type Ticks } from '../../base/ticks.ts'
import type { ArchiveFile } from '../../capture/archive/manifest.ts'
import { CLUSTER_LOG, COLUMNS, FIGURES, SERVER_LOG, type Value } from '../../capture/archive/tables.ts'
import { dayOf } from '../../capture/archive/ticks.ts'
import { clockOf, DiskFull, type Folder } from '../folder.ts'
import { columnsOf } from '../merge.ts'
import { encodeTable } from '../parquet.ts'

const DETAIL = 'These rows were not sent in time: the folder in which they waited was full.'

/**
 * Removes the oldest files until the folder holds at most `maxBytes`, and records the removed rows of each as gaps.
 * Returns the number of removed rows. Errors: `DiskFull`.
 */
export async function dropOldest(folder: Folder, maxBytes: number, say: (sentence: string) => void): Promise<number> {
  let rows = 0
  while (folder.bytes > maxBytes) {
    const oldest = oldestOf(folder.manifest.files)
    if (oldest === undefined) break
    const gaps = await gapsOf(folder, oldest).catch((error: unknown) => {
      if (error instanceof DiskFull) throw error
      say(`${oldest.path} cannot be read, and goes as a whole. ${(error as Error).message}`)
      return unreadGaps(oldest)
    })
    if (gaps.length > 0) writeGaps(folder, oldest, gaps)
    await folder.drop([oldest])
    rows += oldest.rows
  }
  return rows
}

/** Files of gaps are left out: they are tiny, and show which rows are missing. */
const oldestOf = (files: readonly ArchiveFile[]): ArchiveFile | undefined =>
  files.filter(({ table }) => table !== 'gaps').toSorted((a, b) => a.minTicks - b.minTicks)[0]

interface Missing {
  readonly source: string
  readonly lane: string | null
  startTicks: number
  endTicks: number
  count: number
}

async function gapsOf(folder: Folder, file: ArchiveFile): Promise<readonly Missing[]> {
  const { table, minTicks: startTicks, maxTicks: endTicks, rows: count } = file
  if (table === 'vitals') return [{ source: 'server', lane: FIGURES, startTicks, endTicks, count }]
  if (table === 'cluster-log') return [{ source: 'server', lane: CLUSTER_LOG, startTicks, endTicks, count }]
  if (table === 'logs') return [{ source: 'server', lane: SERVER_LOG, startTicks, endTicks, count }]
  if (table === 'batches')
    return missingBySource(await columnsOf(folder, [file]), 'batches', (source) => `indexes:${source}`)
  if (table === 'io') return missingBySource(await columnsOf(folder, [file]), 'io', () => null)
  // For other tables no gap is recorded: no lane shows gaps of their rows.
  return []
}

/** Gaps of a file that cannot be read. Its sources are unknown, so one gap of the whole server covers its time. */
const unreadGaps = ({
  table,
  minTicks: startTicks,
  maxTicks: endTicks,
  rows: count,
}: ArchiveFile): readonly Missing[] =>
  table === 'io' ? [{ source: 'server', lane: null, startTicks, endTicks, count }] : []

function missingBySource(
  columns: readonly (readonly Value[])[],
  table: 'io' | 'batches',
  laneOf: (source: string) => string | null,
): readonly Missing[] {
  const at = (name: string): readonly Value[] => columns[COLUMNS[table].findIndex((each) => each.name === name)] ?? []
  const [sources, starts, durations] = [at('source'), at('start_ticks'), at('duration_ticks')]
  const found = new Map<string, Missing>()
  sources.forEach((value, row) => {
    const source = String(value)
    const startTicks = Number(starts[row])
    const endTicks = startTicks + Number(durations[row])
    const known = found.get(source)
    if (known === undefined) found.set(source, { source, lane: laneOf(source), startTicks, endTicks, count: 1 })
    else {
      known.startTicks = Math.min(known.startTicks, startTicks)
      known.endTicks = Math.max(known.endTicks, endTicks)
      known.count++
    }
  })
  return [...found.values()]
}

function writeGaps(folder: Folder, { node, path: of }: ArchiveFile, gaps: readonly Missing[]): void {
  const rows = gaps
    .toSorted((a, b) => (a.source < b.source ? -1 : 1))
    .map(({ source, lane, startTicks, endTicks, count }): readonly Value[] => {
      const reason = 'not-sent'
      return [source, lane, null, reason, startTicks, endTicks, count, null, DETAIL]
    })
  const { bytes } = encodeTable('gaps', [COLUMNS.gaps.map((_, column) => rows.map((row) => row[column] ?? null))])
  const minTicks = Math.min(...gaps.map(({ startTicks }) => startTicks))
  const maxTicks = Math.max(...gaps.map(({ endTicks }) => endTicks))
  const day = dayOf(minTicks)
  const name = `${clockOf(minTicks as Ticks, msFromTicks)}-of-${of.replaceAll(/[^\w-]/g, '_')}`
  const path = `gaps/node=${node}/day=${day}/${name}.parquet`
  folder.write(path, bytes)
  const known = folder.manifest.nodes.find(({ name: other }) => other === node)
  if (known !== undefined)
    folder.commit(known, [
      { path, table: 'gaps', node, day, rows: rows.length, bytes: bytes.length, minTicks, maxTicks },
    ])
}
