import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FolderRefused, wordsOfDisk } from './folder.ts'

/** File in the folder of an archive that says which recorder writes to it. */
export const LOCK_FILE = 'recorder.lock'
/** Time between two signs of life of a recorder, ms. */
const BEAT_MS = 5000

interface Holder {
  /** Distinguishes recorders with the same process number, such as those of containers. */
  readonly token: string
  readonly pid: number
  readonly host: string
  /** Time at which it began, ISO. */
  readonly since: string
}

export interface FolderLock {
  readonly release: () => Promise<void>
}

/**
 * Takes the folder for this process. One that another recorder holds is taken over if that recorder has ended, or, where
 * its process cannot be looked up, if it gives no sign of life for two beats. `failed`: called when the folder is gone,
 * or another recorder took it. Errors: `FolderRefused`, `DiskFull`, those of
 * the file system.
 */
export async function lockFolder(path: string, failed: (error: Error) => void, beatMs = BEAT_MS): Promise<FolderLock> {
  const file = join(path, LOCK_FILE)
  const own: Holder = { token: randomUUID(), pid: process.pid, host: hostname(), since: new Date().toISOString() }
  while (!create(file, own)) {
    const holder = await holderOf(file)
    if (holder !== null && !hasEnded(holder) && (await isBeating(file, beatMs)))
      throw new FolderRefused(inUse(path, holder))
    await rm(file, { force: true })
  }
  const timer = setInterval(() => {
    beat().catch(() => undefined)
  }, beatMs)
  const beat = async (): Promise<void> => {
    const holder = await holderOf(file)
    if (holder?.token === own.token) {
      const now = new Date()
      await utimes(file, now, now)
      return
    }
    // Unreadable for the moment.
    if (holder === null && existsSync(file)) return
    clearInterval(timer)
    failed(
      new FolderRefused(
        holder === null
          ? `${path} was removed, or emptied, while it was being recorded to.`
          : `${inUse(path, holder)} This one ends.`,
      ),
    )
  }
  return {
    release: async () => {
      clearInterval(timer)
      if ((await holderOf(file))?.token === own.token) await rm(file, { force: true })
    },
  }
}

const inUse = (path: string, { pid, host, since }: Holder): string =>
  `Process ${pid} of ${host} has recorded to ${path} since ${since}: end it, or record to another folder.`

/** Creates the file. False: there is one already. Errors: `DiskFull`. */
function create(file: string, own: Holder): boolean {
  try {
    wordsOfDisk(() => writeFileSync(file, `${JSON.stringify(own)}\n`, { flag: 'wx' }))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Reads which recorder holds the folder; null if none does, or the file is empty, as a full disk can leave it. */
async function holderOf(file: string): Promise<Holder | null> {
  try {
    const { token, pid, host, since } = JSON.parse(await readFile(file, 'utf8')) as Partial<Holder>
    return token === undefined || pid === undefined || host === undefined || since === undefined
      ? null
      : { token, pid, host, since }
  } catch {
    return null
  }
}

/** Whether the process is known to have ended. */
function hasEnded({ pid, host }: Holder): boolean {
  if (host !== hostname()) return false
  // The number of this process: the other one ran before it, in a container like this.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Whether the file is touched within two beats; its own clock may be that of another machine. */
async function isBeating(file: string, beatMs: number): Promise<boolean> {
  const at = async (): Promise<number | null> =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
  const first = await at()
  for (const endMs = Date.now() + 2 * beatMs; Date.now() < endMs; await sleep(beatMs / 10)) {
    const now = await at()
    if (now !== first) return now !== null
  }
  return false
}
