import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { test as base } from './raven.ts'

const run = promisify(execFile)
const SOURCE = resolve(import.meta.dirname, 'slow-volume.c')

/** One of 40 journal writes takes 4 to 8 s: nearly all of the time of writers that wait for it. */
export const JOURNAL_WAITS = '1 0 4000'

/** The shim, compiled into the folder; null: there is no C compiler. */
async function compiled(folder: string): Promise<string | null> {
  const library = join(folder, 'slow-volume.so')
  const args = ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl', '-lpthread']
  return run('cc', args).then(
    () => library,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    },
  )
}

/** Tests with a folder of their own and the shim of `slow-volume.c`, which slows a volume down. */
export const slowVolumeTest = base.extend<{ folder: string; shim: string | null }>({
  folder: async ({ browserName: _browser }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-slow-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  shim: async ({ folder }, use) => {
    await use(await compiled(folder))
  },
})
