// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** Runs a module below the watchdog, which ends it after so many ms. @param {number} silentMs @param {string} code */
async function run(silentMs, code) {
  const watchdog = new URL('./watchdog.mjs', import.meta.url).href
  const script = `import { watchOver } from ${JSON.stringify(watchdog)}\nwatchOver('It hangs.', ${silentMs})\n${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code_, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { said: said.trim(), code: code_, signal }
}

test('a thread that hangs is ended with a sentence', async () => {
  // As in a call of the system that does not return.
  const hangs = 'setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 100)'
  expect(await run(4000, hangs)).toEqual({ said: 'It hangs.', code: null, signal: 'SIGKILL' })
})

test('a thread that hangs is ended also with a closed stderr', async () => {
  const watchdog = new URL('./watchdog.mjs', import.meta.url).href
  const hangs = 'setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 100)'
  const script = `import { watchOver } from ${JSON.stringify(watchdog)}\nwatchOver('It hangs.', 4000)\n${hangs}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.destroy()
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})

test('a process that works in short turns, or ends, is left alone', async () => {
  const works = 'let n = 0; const t = setInterval(() => { if (++n === 60) clearInterval(t) }, 100)'
  expect(await run(4000, works)).toEqual({ said: '', code: 0, signal: null })
})
