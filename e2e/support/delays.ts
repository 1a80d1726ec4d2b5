import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileDelays, delayedBy } from '../../tools/delays/compile.mjs'
import { test as base } from './raven.ts'

/** Delays every 40th journal write by 4 to 8 s: nearly all of the time of writers that wait for it. */
export const JOURNAL_WAITS = 'every 40 4000'

export const NO_COMPILER = 'No C compiler (cc) for the shim that delays writes.'

interface Delays {
  /** Environment of a server that is to be delayed. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the delays from now on; lines as `delays.c` reads them. */
  readonly set: (...lines: readonly string[]) => Promise<void>
}

/** Tests with a server whose journal writes and syncs can be delayed; null: there is no C compiler. */
export const delaysTest = base.extend<{ delays: Delays | null }>({
  delays: async ({ browserName: _browser }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-delays-'))
    const [library, file] = [await compileDelays(folder), join(folder, 'delays')]
    const set = (...lines: readonly string[]): Promise<void> => writeFile(file, lines.join('\n'))
    await use(library === null ? null : { env: delayedBy(library, file), set })
    await rm(folder, { recursive: true, force: true })
  },
})
