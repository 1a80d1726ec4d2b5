// @ts-check
/** ClickHouse for tests: chdb, which runs ClickHouse in its own process, behind an HTTP server of this project. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { unit } from '../cache.mjs'
import { atEnd, eachLine, lastWords, run } from '../children.mjs'
import { findPip } from '../ravendb/pip.mjs'
import { Plain } from '../say.mjs'
import { temporaryFolder } from '../temporary.mjs'

/** Package and version: 170 MB to download, 560 MB on disk. */
const PACKAGE = 'chdb-core'
const VERSION = '26.9.0'
const NEEDS = 1.5e9
const INSTALL_MS = 900_000
const FRONT = join(import.meta.dirname, 'front.py')

/**
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<string>} folder for PYTHONPATH
 * @throws {Plain} when it cannot be had
 */
async function getChdb(say) {
  const { dir } = await unit(
    `chdb-${VERSION}`,
    async (folder) => {
      say.step('Fetching ClickHouse in the process, which some tests need')
      const pip = await findPip(say)
      const args = [
        ...pip.args,
        'install',
        '--quiet',
        '--no-deps',
        '--target',
        join(folder, 'lib'),
        `${PACKAGE}==${VERSION}`,
      ]
      const ran = await run(pip.command, args, { timeout: INSTALL_MS })
      if (ran.code !== 0)
        throw new Plain(
          `pip could not install ${PACKAGE} ${VERSION}, which tests of ClickHouse need (${lastWords(ran)}).`,
        )
      say.done()
      return { version: VERSION }
    },
    { needs: NEEDS },
  )
  return join(dir, 'lib')
}

/**
 * Starts ClickHouse with an empty folder, which is removed when it stops.
 * @param {{ password: string, say: import('../say.mjs').Say }} options
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws {Plain} when it cannot be had, or does not start
 */
export async function startClickHouse({ password, say }) {
  const lib = await getChdb(say)
  const folder = temporaryFolder('clickhouse')
  const child = spawn('python3', [FRONT, folder], {
    env: { ...process.env, PYTHONPATH: lib, ROOKERY_CLICKHOUSE_PASSWORD: password },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const clean = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const off = atEnd({ hard: clean })
  const ended = new Promise((done) => child.once('close', done))
  let words = ''
  child.stderr.on('data', (part) => (words = `${words}${part}`.slice(-2000)))
  const port = await new Promise((done, failed) => {
    eachLine(child.stdout, (line) => line.startsWith('port ') && done(Number(line.slice(5))))
    child.once('error', failed)
    child.once('exit', () => failed(new Plain(`ClickHouse for tests did not start: ${words.trim()}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      clean()
      off()
    },
  }
}
