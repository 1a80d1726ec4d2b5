import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOKERY = resolve(import.meta.dirname, '../../tools/rookery.mjs')

export interface Rookery {
  readonly process: ChildProcess
  /** Its output so far. */
  readonly said: () => string
}

/** Starts `rookery` with a command. */
export function rookery(...args: string[]): Rookery {
  let said = ''
  const child = spawn(process.execPath, [ROOKERY, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  return { process: child, said: () => said }
}

/** Waits until its output matches; a cold machine builds the recorder first. Errors: `Error` with the output. */
export async function untilSaid({ said, process }: Rookery, pattern: RegExp): Promise<RegExpExecArray> {
  for (const endMs = Date.now() + 120_000; Date.now() < endMs && process.exitCode === null; await sleep(200)) {
    const match = pattern.exec(said())
    if (match !== null) return match
  }
  throw new Error(`rookery did not say ${String(pattern)}: ${said()}`)
}
