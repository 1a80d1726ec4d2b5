import { constants } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getRavenDb } from '../../tools/ravendb/get.mjs'
import { layoutOf } from '../../tools/ravendb/layout.mjs'
import { startRavenDb } from '../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import type { Raven } from './raven.ts'

/** Behaviour of a server's helper program. `works`: as it should. */
export type HelperMode = 'works' | 'hangs' | 'ends itself' | 'dies' | 'rubbish' | 'cut' | 'missing' | 'not executable'

/** A server whose helper program does what a test wants. */
export interface HelperRaven extends Omit<Raven, 'freeze' | 'suspend' | 'terminate'> {
  readonly helper: (mode: HelperMode) => Promise<void>
  /** Waits until a helper that hangs has begun; its process. */
  readonly helperPid: () => Promise<number>
  readonly close: () => Promise<void>
}

const WORKS = resolve(import.meta.dirname, '../../tools/stacks/raven-debug.mjs')

/** Like a real one, it reads the server's line before anything else. */
const scriptOf = (mode: HelperMode, pidFile: string): string => {
  const then: Readonly<Record<HelperMode, string>> = {
    works: '',
    hangs: `read -r _; echo $$ > '${pidFile}'; exec sleep 600`,
    'ends itself': 'read -r _; echo "There was no answer within 1 s, so the helper ended itself." >&2; exit 1',
    dies: 'read -r _; kill -SEGV $$',
    rubbish: 'read -r _; echo "Attaching to the process ..."; exit 0',
    cut: `read -r _; printf '{"Results":[{"ThreadIds":[1'; exit 0`,
    missing: '',
    'not executable': '',
  }
  return mode === 'works' || mode === 'not executable'
    ? `#!/bin/sh\nunset NODE_OPTIONS NODE_V8_COVERAGE NODE_CHANNEL_FD\nexec '${process.execPath}' '${WORKS}' "$@"\n`
    : `#!/bin/sh\n${then[mode]}\n`
}

/** The server has a folder of its own: the cache is never written to. */
export async function startHelperRaven(version: string): Promise<HelperRaven> {
  const { dir } = await getRavenDb({ version })
  const server = layoutOf(dir)?.server
  if (server === undefined) throw new Error(`There is no server in ${dir}.`)
  const home = await mkdtemp(join(tmpdir(), 'rookery-e2e-helper-'))
  await cp(server, join(home, 'server'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  await symlink(await realpath(join(dir, 'dotnet')), join(home, 'dotnet'))
  const place = join(home, 'server', 'Raven.Debug')
  const pidFile = join(home, 'helper.pid')
  const helper = async (mode: HelperMode): Promise<void> => {
    // A new file each time: one that runs cannot be written to.
    await rm(place, { force: true })
    await rm(pidFile, { force: true })
    if (mode === 'missing') return
    await writeFile(place, scriptOf(mode, pidFile))
    await chmod(place, mode === 'not executable' ? 0o644 : 0o755)
  }
  const helperPid = async (): Promise<number> => {
    for (let left = 1200; left > 0; left--) {
      const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
      if (pid > 0) return pid
      await new Promise((later) => setTimeout(later, 50))
    }
    throw new Error('The helper did not begin within a minute.')
  }
  await helper('works')
  const dataDir = join(home, 'data')
  const start = (port: number) =>
    startRavenDb({
      dir: home,
      dataDir,
      port,
      studioPath: resolve(import.meta.dirname, '../../dist'),
      env: THRIFTY,
    })
  let running = await start(0)
  const { url } = running
  return {
    version,
    url,
    dataDir,
    pid: () => running.pid,
    studio: (hash = '') => `${url}/studio/index.html${hash}`,
    kill: () => running.kill(),
    restart: async () => {
      running = await start(Number(new URL(url).port))
    },
    helper,
    helperPid,
    close: async () => {
      await running.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
