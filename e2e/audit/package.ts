import { strFromU8, unzipSync } from 'fflate'
import type { Page } from '@playwright/test'
import { readOutline } from './outline.ts'
import type { Claim, Report } from './report.ts'

/*
 * Figures of a debug package against its entries as they were packed, read here once more: by names of fields, without a
 * line of the reader of packages.
 */

type Json = Readonly<Record<string, unknown>>

/** Entries of a package with one server, by path without an ending. */
export type Packed = (entry: string) => Json

export function unpack(contents: Uint8Array): { readonly packed: Packed; readonly databases: readonly string[] } {
  const entries = unzipSync(contents)
  const folders = new Set(Object.keys(entries).map((path) => path.split('/')[0] ?? ''))
  return {
    packed: (entry) => {
      const bytes = entries[`${entry}.json`]
      if (bytes === undefined) throw new Error(`The package has no ${entry}.`)
      return JSON.parse(strFromU8(bytes)) as Json
    },
    databases: [...folders].filter((folder) => folder !== 'server-wide'),
  }
}

/** Value at a path of fields; undefined: there is none. */
const at = (body: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Json | null | undefined)?.[name], body)
const number = (body: unknown, ...path: readonly string[]): number => Number(at(body, ...path))
const text = (body: unknown, ...path: readonly string[]): string => String(at(body, ...path))
const list = (body: unknown, ...path: readonly string[]): readonly Json[] =>
  (at(body, ...path) as readonly Json[] | undefined) ?? []

/** `23.541 GBytes` as the server writes sizes. */
function bytes(humane: string): number {
  const [, digits, unit = ''] = /^([\d.]+) ([KMGT]?)Bytes$/.exec(humane) ?? []
  return Number(digits) * 1024 ** ['', 'K', 'M', 'G', 'T'].indexOf(unit)
}

/** `2026-11-26T22:25:19.8916144Z` as a page shows it to the second, in the zone of the tests. */
const second = (iso: string): string => iso.slice(0, 19).replace('T', ' ')

/** Panel Vitals of the package. */
export async function auditPackagedServer(
  page: Page,
  report: Report,
  { packed, databases }: ReturnType<typeof unpack>,
): Promise<void> {
  const shown = (await readOutline(page)).table('Servers of the package, side by side')
  const own = (entry: string): Json => packed(`server-wide/${entry}`)
  const log = own('admin.cluster.log')
  const threads = at(own('admin.threads.runaway'), 'Runaway Threads')
  const memory = at(own('admin.memory.stats'), 'MemoryInformation')
  const heap = at(own('admin.memory.gc'), 'Any')
  const connections = at(own('admin.info.tcp.active-connections'), 'Connections')
  const topology = own('cluster.topology')
  const truths: readonly (readonly [string, number | string])[] = [
    ['Role', text({ Role: at(topology, 'CurrentState'), ...log }, 'Role')],
    ['Version', text(own('build.version'), 'FullVersion')],
    ['Address', text(own('admin.stats'), '@metadata', 'WebUrl')],
    ['Started', second(text(own('admin.stats'), 'StartUpTime'))],
    ['CPU of the machine', number(threads, 'CpuUsage') / 100],
    ['CPU of the server', number(threads, 'ProcessCpuUsage') / 100],
    ['Cores', number(threads, 'ActiveCores')],
    ['Threads', number(threads, 'ThreadsCount')],
    ['Memory', bytes(text(memory, 'PhysicalMemory'))],
    ['Memory available', bytes(text(memory, 'AvailableMemoryForProcessing'))],
    ['Resident memory', bytes(text(memory, 'WorkingSet'))],
    ['Managed memory', bytes(text(memory, 'ManagedAllocations'))],
    ['Unmanaged memory', bytes(text(memory, 'UnmanagedAllocations'))],
    ['Time in GC pauses', number(heap, 'PauseTimePercentage') / 100],
    ['Fragmented heap', number(heap, 'FragmentedBytes') / number(heap, 'HeapSizeBytes')],
    ['Connections', list(connections, 'Established').length],
    ['Connections closing', list(connections, 'TimeWait').length],
    ['Cluster log, committed', number(log, 'Log', 'CommitIndex')],
    ['Term', number({ Term: at(topology, 'CurrentTerm'), ...log }, 'Term')],
    ['Databases', databases.length],
  ]
  const node = text(topology, 'NodeTag')
  for (const [figure, truth] of truths)
    report.claim('Package: Vitals', { figure, shown: shown?.cell(figure, node), truth })
}

/** Page of a database of the package. */
export async function auditPackagedDatabase(
  page: Page,
  report: Report,
  packed: Packed,
  database: string,
): Promise<void> {
  const outline = await readOutline(page)
  const claim = (parts: Claim): void => report.claim('Package: page of a database', parts)
  const stats = packed(`${database}/stats`)
  const facts: readonly (readonly [string, number])[] = [
    ['Documents', number(stats, 'CountOfDocuments')],
    ['On disk', number(stats, 'SizeOnDisk', 'SizeInBytes')],
    ['Temporary files', number(stats, 'TempBuffersSizeOnDisk', 'SizeInBytes')],
  ]
  for (const [figure, truth] of facts) claim({ figure, shown: outline.term(figure)[0], truth })
  const indexes = outline.table('Indexes')
  for (const index of list(packed(`${database}/indexes.stats`), 'Results')) {
    const of = text(index, 'Name')
    const lags = Object.values(index['Collections'] as Json).map((each) => number(each, 'DocumentLag'))
    const behind = Math.max(0, ...lags)
    const truths = { Behind: behind, Entries: number(index, 'EntriesCount'), Errors: number(index, 'ErrorsCount') }
    for (const [figure, truth] of Object.entries(truths))
      claim({ figure: `Index: ${figure}`, of, shown: indexes?.cell(of, figure), truth })
  }
  const kept = outline.table('Indexing errors')
  for (const each of list(packed(`${database}/indexes.errors`), 'Results')) {
    const errors = list(each, 'Errors').length
    const of = text(each, 'Name')
    if (errors > 0) claim({ figure: 'Errors kept', of, shown: kept?.cell(of, 'Kept'), truth: errors })
  }
  const storage = outline.table('Storage')
  for (const each of list(packed(`${database}/storage.report`), 'Results')) {
    const of = text(each, 'Name')
    const data = number(each, 'Report', 'DataFile', 'AllocatedSpaceInBytes')
    const free = number(each, 'Report', 'DataFile', 'FreeSpaceInBytes')
    claim({ figure: 'Storage: Data', of, shown: storage?.cell(of, 'Data'), truth: data })
    claim({ figure: 'Storage: Free in it', of, shown: storage?.cell(of, 'Free in it'), truth: free })
  }
}
