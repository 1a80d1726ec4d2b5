// @ts-check
/** A process that looks like a .NET server from outside: it sleeps, and the test answers on its diagnostics socket. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { message } from '../ipc.mjs'
import { startTicksOf } from '../proc.mjs'

const ANSWER = 0xff
const FAILED = 0xff

export const OK = message(ANSWER, 0, Buffer.alloc(8, 1))
/** The runtime's "unknown command". */
export const UNKNOWN_COMMAND = message(ANSWER, FAILED, Buffer.from([0x85, 0x13, 0x13, 0x80]))

/** Commands of the EventPipe set. */
export const STOP = 1
export const START_2 = 3
export const START_4 = 5

/**
 * @typedef {object} FakeRuntime
 * @property {number} pid
 * @property {string} dir its TMPDIR
 * @property {number[]} commands received so far
 * @property {() => Promise<string[]>} files in its TMPDIR, other than the socket
 * @property {() => void} hangUp closes all connections
 * @property {() => Promise<void>} end
 */

/**
 * @param {((command: number, socket: import('node:net').Socket, session: import('node:net').Socket | undefined) => void) | null} answer
 *   called with each command's connection, and that of the last session; null: there is no socket
 * @returns {Promise<FakeRuntime>}
 */
export async function fakeRuntime(answer) {
  const dir = await mkdtemp(join(tmpdir(), 'rookery-stacks-test-'))
  const child = spawn('sleep', ['60'], { env: { TMPDIR: dir }, stdio: 'ignore' })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  /** @type {number[]} */
  const commands = []
  /** @type {Set<import('node:net').Socket>} */
  const open = new Set()
  /** @type {import('node:net').Socket | undefined} */
  let session
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.once('data', (bytes) => {
      const command = bytes[17] ?? -1
      commands.push(command)
      answer?.(command, socket, session)
      if (command !== STOP) session = socket
    })
  })
  const name = `dotnet-diagnostic-${pid}-${startTicksOf(pid)}-socket`
  if (answer) await once(server.listen(join(dir, name)), 'listening')
  return {
    pid,
    dir,
    commands,
    files: async () => (await readdir(dir)).filter((file) => file !== name),
    hangUp: () => open.forEach((socket) => socket.destroy()),
    end: async () => {
      open.forEach((socket) => socket.destroy())
      server.close()
      child.kill('SIGKILL')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Answers as a runtime of .NET 9 does.
 * @param {Uint8Array} stream nettrace
 * @returns {NonNullable<Parameters<typeof fakeRuntime>[0]>}
 */
export function replay(stream) {
  return (command, socket, session) => {
    if (command !== STOP) return void socket.write(OK)
    session?.end(stream, () => socket.end(OK))
  }
}
