import { type Dirent, existsSync } from 'node:fs'
import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/* Figures from the kernel: the machine, a process and its threads, a volume and its files. */

/** Clock ticks a second in /proc, which Linux keeps the same for all programs. */
export const TICKS_PER_SECOND = 100
const SECTOR_BYTES = 512

/** Sums since the machine started, in clock ticks of all cores; waiting for the disk is idle, as for the server. */
export async function machineCpu(): Promise<{ busy: number; all: number; cores: number }> {
  const lines = (await readFile('/proc/stat', 'utf8')).split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = (lines[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system + irq + softirq + steal
  return { busy, all: busy + idle + iowait, cores: lines.filter((line) => /^cpu\d/.test(line)).length }
}

/** Bytes by name, such as `MemAvailable`. */
export const memoryOfMachine = async (): Promise<Record<string, number>> =>
  kilobytes(await readFile('/proc/meminfo', 'utf8'))

/** Bytes by name, such as `RssAnon`, and `Threads`, which is a count. */
export async function memoryOfProcess(pid: number): Promise<Record<string, number>> {
  return kilobytes(await readFile(`/proc/${pid}/status`, 'utf8'))
}

/** Pages of a process that are in memory, by what must happen before they can be dropped; bytes. */
export async function pagesOfProcess(pid: number): Promise<{ clean: number; dirty: number }> {
  const rollup = kilobytes(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))
  const sum = (...names: string[]): number => names.reduce((all, name) => all + (rollup[name] ?? 0), 0)
  return { clean: sum('Shared_Clean', 'Private_Clean'), dirty: sum('Shared_Dirty', 'Private_Dirty') }
}

function kilobytes(text: string): Record<string, number> {
  const values: Record<string, number> = {}
  for (const [, name = '', value = '', unit] of text.matchAll(/^(\w+):\s+(\d+)( kB)?$/gm))
    values[name] = Number(value) * (unit === undefined ? 1 : 1024)
  return values
}

export interface CpuTimes {
  /** Ms since it began. */
  readonly user: number
  readonly kernel: number
}

export const cpuOfProcess = (pid: number): Promise<CpuTimes> => cpuTimes(`/proc/${pid}/stat`)

/** CPU time of each thread by its number. */
export async function cpuOfThreads(pid: number): Promise<Map<number, CpuTimes>> {
  const ids = await readdir(`/proc/${pid}/task`)
  const times = await Promise.all(
    // one may end between the list and its file
    ids.map(async (id) => [Number(id), await cpuTimes(`/proc/${pid}/task/${id}/stat`).catch(() => null)] as const),
  )
  return new Map(times.flatMap(([id, time]) => (time === null ? [] : [[id, time]])))
}

async function cpuTimes(path: string): Promise<CpuTimes> {
  const fields = fieldsOf(await readFile(path, 'utf8'))
  const ms = (at: number): number => (Number(fields[at]) * 1000) / TICKS_PER_SECOND
  return { user: ms(11), kernel: ms(12) }
}

/** Behind the name, which may hold spaces. */
const fieldsOf = (text: string): string[] => text.slice(text.lastIndexOf(')') + 2).split(' ')

/** Time since the start of a process, ms. */
export async function ageOfProcess(pid: number): Promise<number> {
  const [uptime = ''] = (await readFile('/proc/uptime', 'utf8')).split(' ')
  const began = Number(fieldsOf(await readFile(`/proc/${pid}/stat`, 'utf8'))[19]) / TICKS_PER_SECOND
  return (Number(uptime) - began) * 1000
}

/** Space of a volume as `df` counts it: free for a program without rights, and the capacity with what is reserved; bytes. */
export async function volumeOf(path: string): Promise<{ free: number; capacity: number }> {
  const { bavail, bsize, blocks } = await statfs(path)
  return { free: bavail * bsize, capacity: blocks * bsize }
}

/** Sums since the machine started of the device that a path lies on; undefined: it has none, as in some containers. */
export async function deviceOf(
  path: string,
): Promise<{ reads: number; readBytes: number; writes: number; writeBytes: number } | undefined> {
  const { dev } = await stat(path)
  // as glibc's major() and minor()
  const [major, minor] = [(dev >>> 8) & 0xfff, (dev & 0xff) | ((dev >>> 12) & 0xfff00)]
  const text = await readFile(`/sys/dev/block/${major}:${minor}/stat`, 'utf8').catch(() => '')
  if (text === '') return undefined
  const [reads = 0, , sectorsRead = 0, , writes = 0, , sectorsWritten = 0] = text.trim().split(/\s+/).map(Number)
  return { reads, readBytes: sectorsRead * SECTOR_BYTES, writes, writeBytes: sectorsWritten * SECTOR_BYTES }
}

/** Folders come and go while they are read: a compaction replaces most of them. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT' && existsSync(folder))) throw error
    }
  }
}

/** Lengths of the files of a database by what they are for, bytes. */
export async function filesOf(folder: string): Promise<{ data: number; buffers: number; recyclable: number }> {
  const sums = { data: 0, buffers: 0, recyclable: 0 }
  for (const entry of await entriesOf(folder)) {
    if (!entry.isFile()) continue
    const kind = entry.name.startsWith('recyclable-journal')
      ? 'recyclable'
      : entry.name.endsWith('.buffers')
        ? 'buffers'
        : entry.name === 'Raven.voron' || entry.name.endsWith('.journal')
          ? 'data'
          : undefined
    if (kind === undefined) continue
    // journals come and go under load
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    sums[kind] += file?.size ?? 0
  }
  return sums
}
