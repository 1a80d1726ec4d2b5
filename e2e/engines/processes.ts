import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { atEnd } from '../../tools/children.mjs'

export interface Started {
  readonly child: ChildProcess
  readonly exited: Promise<unknown>
  /** Ends it and all that it started. */
  readonly end: () => Promise<void>
}

/** Starts a program in a process group of its own, which ends with this process. Standard input and descriptor 3 are closed or piped. */
export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.on('error', () => undefined)
  const exited = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined)
  const kill = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The whole group is gone.
    }
  }
  const off = atEnd({ hard: kill })
  return {
    child,
    exited,
    end: async () => {
      kill()
      await exited
      off()
    },
  }
}

/** Resolves with the first match in what a stream brings. Errors: the process ended before. */
export function firstMatch(
  stream: NodeJS.ReadableStream,
  pattern: RegExp,
  exited: Promise<unknown>,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let seen = ''
    stream.on('data', (chunk: Buffer) => {
      seen = (seen + chunk.toString()).slice(-10_000)
      const match = pattern.exec(seen)
      if (match !== null) resolve(match)
    })
    void exited.then(() => reject(new Error(`The process ended at its start: ${seen.trim().slice(-400)}`)))
  })
}
