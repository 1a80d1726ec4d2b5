// @ts-check
/**
 * Records which process runs a server on a data folder. A server whose starter is dead is an orphan and is ended; a
 * server whose starter is alive is left alone.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { alive, bornAt } from '../children.mjs'
import { Plain } from '../say.mjs'

const NAME = 'rookery.pid'

/**
 * @typedef {object} Record_
 * @property {number} pid the server
 * @property {string} born when it began, see `bornAt`
 * @property {number} owner the process that started it
 * @property {string} ownerBorn
 */

/** Maximum time for an orphan to end, ms. */
const ORPHAN_MS = 10_000

/**
 * @param {string} dataDir
 * @param {number} pid
 */
export async function writePid(dataDir, pid) {
  const [born, ownerBorn] = await Promise.all([bornAt(pid), bornAt(process.pid)])
  /** @type {Record_} */
  const record = { pid, born, owner: process.pid, ownerBorn }
  await writeFile(join(dataDir, NAME), `${JSON.stringify(record)}\n`)
}

/** @param {string} dataDir */
export async function removePid(dataDir) {
  await rm(join(dataDir, NAME), { force: true })
}

/**
 * Frees a data folder: ends an orphaned server that this tool started on it.
 * @param {string} dataDir
 * @returns {Promise<number>} the orphan's number, 0 when there was none
 * @throws {Plain} when a living command uses the folder
 */
export async function clearOrphan(dataDir) {
  const record = await read(dataDir)
  if (!record) return 0
  const running = record.born !== '' && (await bornAt(record.pid)) === record.born
  if (running) {
    if (record.ownerBorn !== '' && (await bornAt(record.owner)) === record.ownerBorn)
      throw new Plain(
        `Another command (process ${record.owner}) runs RavenDB on ${dataDir}: end it first, or use another version or folder.`,
      )
    await end(record)
  }
  await removePid(dataDir)
  return running ? record.pid : 0
}

/** @param {Record_} record */
async function end({ pid, born }) {
  process.kill(pid, 'SIGTERM')
  const until = Date.now() + ORPHAN_MS
  while (alive(pid) && (await bornAt(pid)) === born) {
    if (Date.now() > until) {
      process.kill(pid, 'SIGKILL')
      await sleep(500)
      return
    }
    await sleep(200)
  }
}

/**
 * @param {string} dataDir
 * @returns {Promise<Record_ | undefined>}
 */
async function read(dataDir) {
  try {
    const record = /** @type {Partial<Record_>} */ (JSON.parse(await readFile(join(dataDir, NAME), 'utf8')))
    const { pid, born = '', owner = 0, ownerBorn = '' } = record
    return Number.isSafeInteger(pid) && pid !== undefined && pid > 1 ? { pid, born, owner, ownerBorn } : undefined
  } catch {
    return undefined
  }
}
