// @ts-check
/**
 * Replaces RavenDB's own `Raven.Debug` beside a development server: writes the stacks of all its threads.
 *
 *     raven-debug.mjs stack-traces --pid <pid> --wait [--tid <thread>]... [--includeStackObjects]
 *
 * Exit code 0 and JSON on standard output, or 1 and one sentence on standard error. Whatever happens, it ends itself.
 * `--addresses` writes the addresses seen and their names, for tests; `--bound <ms>` shortens the limit.
 */
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { Plain } from '../say.mjs'
import { BOUND_MS, parseArguments } from './arguments.mjs'

/** @typedef {import('./arguments.mjs').Arguments} Arguments */

/**
 * @param {NodeJS.WriteStream} stream
 * @param {string} text
 * @param {number} code the process ends with, once the text is written
 */
function end(stream, text, code) {
  stream.write(text, () => process.exit(code))
}

/** @param {string} sentence */
function fail(sentence) {
  end(process.stderr, `${sentence.replaceAll(/\s*\n\s*/g, ' ')}\n`, 1)
}

/**
 * Waits for permission. RavenDB starts the helper, permits it to trace the server, and then writes a line.
 * @returns {Promise<void>}
 * @throws {Plain} when the server went away before
 */
async function permission() {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.includes('\n')) return
    if (text.length > 1000) break
  }
  throw new Plain('The server did not say that stacks may be read.')
}

/**
 * @param {Arguments} args
 * @returns {Promise<import('./worker.mjs').Outcome>}
 */
async function inWorker(args) {
  // Node 20 aborts if a thread ends while V8 compiles its code on another thread, so concurrent compilation is off.
  setFlagsFromString('--no-concurrent-recompilation')
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: args })
  const [outcome] = await once(worker, 'message')
  return outcome
}

/**
 * @param {readonly string[]} argv
 * @returns {Arguments | Plain} errors are reported later: the server must first get its line
 */
function parsed(argv) {
  try {
    return parseArguments(argv)
  } catch (error) {
    return error instanceof Plain ? error : new Plain(String(error))
  }
}

async function main() {
  const argv = process.argv.slice(2)
  const args = parsed(argv)
  const boundMs = args instanceof Plain ? BOUND_MS : args.boundMs
  setTimeout(() => fail(`There was no answer within ${boundMs / 1000} s, so the helper ended itself.`), boundMs)
  if (argv.includes('--wait')) await permission()
  if (args instanceof Plain) throw args
  const outcome = await inWorker(args)
  if ('wrong' in outcome) fail(outcome.wrong)
  else end(process.stdout, `${outcome.text}\n`, 0)
}

// Exit if the reader has closed the stream.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1))
main().catch((/** @type {unknown} */ error) => fail(error instanceof Plain ? error.message : String(error)))
