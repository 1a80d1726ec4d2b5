import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LOCK_FILE, lockFolder } from './folder-lock.ts'

let path = ''
beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'lock-'))))
afterEach(() => rmSync(path, { recursive: true, force: true }))

const SHORT_MS = 20
const LONG_MS = 3000
const SINCE = '2026-11-28T10:00:00.000Z'

const ignore = (): void => undefined
const file = (): string => join(path, LOCK_FILE)
const heldBy = (pid: number, host = hostname()): void =>
  writeFileSync(file(), JSON.stringify({ token: 'other', pid, host, since: SINCE }))
const tokenNow = (): unknown => (JSON.parse(readFileSync(file(), 'utf8')) as { token: unknown }).token

/** Touches the file as its recorder does, while `run` goes on. */
async function beating<Result>(run: () => Promise<Result>): Promise<Result> {
  let ms = Date.now() - 60_000
  const timer = setInterval(() => utimesSync(file(), new Date(ms), new Date((ms += 1000))), 5)
  return run().finally(() => clearInterval(timer))
}

describe('the folder of a recorder', () => {
  test('is refused to another one, on this machine and on others', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    try {
      heldBy(other.pid ?? 0)
      const words = new RegExp(
        `^Process ${String(other.pid)} of ${hostname()} has recorded to .* since ${SINCE}: end it`,
      )
      await expect(beating(() => lockFolder(path, ignore, LONG_MS))).rejects.toThrow(words)
      heldBy(1, 'elsewhere')
      await expect(beating(() => lockFolder(path, ignore, LONG_MS))).rejects.toThrow(/^Process 1 of elsewhere/)
      expect(tokenNow()).toBe('other')
    } finally {
      other.kill()
    }
  })

  test('is taken over from one that has ended, at once; and from one that gives no sign of life', async () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid
    for (const leave of [() => heldBy(ended), () => heldBy(process.pid), () => writeFileSync(file(), '')]) {
      leave()
      const lock = await beating(() => lockFolder(path, ignore, LONG_MS))
      expect(tokenNow()).not.toBe('other')
      await lock.release()
      expect(() => tokenNow()).toThrow('ENOENT')
    }
    heldBy(1, 'elsewhere')
    const lock = await lockFolder(path, ignore, SHORT_MS)
    expect(tokenNow()).not.toBe('other')
    await lock.release()
  })

  test('ends its recorder when another one took it, or when it is gone', async () => {
    const failure = async (happens: () => void): Promise<Error> => {
      let lose: (error: Error) => void = ignore
      const lost = new Promise<Error>((done) => (lose = done))
      await lockFolder(path, lose, SHORT_MS)
      happens()
      return lost
    }
    expect((await failure(() => heldBy(1, 'elsewhere'))).message).toMatch(/^Process 1 of elsewhere .* This one ends\.$/)
    expect(tokenNow()).toBe('other')
    expect((await failure(() => rmSync(path, { recursive: true }))).message).toMatch(/was removed, or emptied, while/)
  })
})
