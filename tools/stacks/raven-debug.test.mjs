// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { i32, methodPayload, Stream } from './testing/encode.mjs'
import { fakeRuntime, OK, replay, START_2, START_4, STOP, UNKNOWN_COMMAND } from './testing/fake-runtime.mjs'
import { recorded } from './testing/recorded.mjs'

const PROGRAM = fileURLToPath(new URL('./raven-debug.mjs', import.meta.url))

/** @type {import('./testing/fake-runtime.mjs').FakeRuntime[]} */
const runtimes = []
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const runtime of runtimes.splice(0)) await runtime.end()
})

/** @param {Parameters<typeof fakeRuntime>[0]} answer */
async function runtime(answer) {
  const fake = await fakeRuntime(answer)
  runtimes.push(fake)
  return fake
}

/**
 * @param {readonly (string | number)[]} args
 * @param {import('node:child_process').StdioOptions} [stdio]
 */
function started(args, stdio = 'pipe') {
  const child = spawn(process.execPath, [PROGRAM, ...args.map(String)], { stdio })
  children.add(child)
  child.stdin?.on('error', () => {})
  child.once('exit', () => children.delete(child))
  return child
}

/** @param {import('node:child_process').ChildProcess} child */
async function ended(child) {
  let output = ''
  let errors = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text))
  const [code, signal] = await once(child, 'close')
  return { code, signal, output, errors }
}

/** @param {(string | number)[]} args */
function run(...args) {
  const child = started(args)
  child.stdin?.write('go\n')
  return ended(child)
}

/**
 * @param {string} output
 * @returns {import('./merge.mjs').Entry[]}
 */
function resultsOf(output) {
  return JSON.parse(output).Results
}

describe.skipIf(process.platform !== 'linux')('the program', () => {
  test('answers what the sampler saw, and leaves nothing behind', async () => {
    const { pid, commands, files } = await runtime(replay(recorded()))
    const { code, output, errors } = await run('stack-traces', '--pid', pid, '--wait')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output.trimEnd()).toMatch(/^[ -~]+$/)
    const results = resultsOf(output)
    expect(results.flatMap(({ ThreadIds: ids }) => ids)).toHaveLength(18)
    expect(results[0]).toEqual({
      ThreadIds: [30_394],
      StackTrace: expect.arrayContaining(['Raven.Server!Raven.Server.Program.Main(class System.String[])']),
    })
    expect(commands).toEqual([START_4, STOP])
    expect(await files()).toEqual([])
  })

  test('shows the threads that are asked for, and none for one that is gone', async () => {
    const { pid } = await runtime(replay(recorded()))
    const one = await run('stack-traces', '--pid', pid, '--wait', '--tid', 30_394, '--tid', 1)
    expect(resultsOf(one.output).map(({ ThreadIds: ids }) => ids)).toEqual([[30_394]])
    const none = await run('stack-traces', '--pid', pid, '--wait', '--tid', -5, '--includeStackObjects')
    expect(JSON.parse(none.output)).toEqual({ Results: [] })
  })

  test('lists addresses for tests', async () => {
    const { pid } = await runtime(replay(recorded()))
    const { output } = await run('stack-traces', '--pid', pid, '--addresses')
    const { Addresses: addresses } = JSON.parse(output)
    expect(addresses.length).toBeGreaterThan(30)
    for (const { address, start, name } of addresses) {
      expect(address).toBeGreaterThan(0)
      expect(start === null || start <= address).toBe(true)
      expect(name).toContain('!')
    }
  })

  test('asks an older runtime in its own words', async () => {
    const old = replay(recorded())
    const { pid, commands } = await runtime((command, socket, session) =>
      command === START_4 ? socket.end(UNKNOWN_COMMAND) : old(command, socket, session),
    )
    const { code, signal, errors } = await run('stack-traces', '--pid', pid, '--wait')
    expect({ code, signal, errors, commands }).toEqual({
      code: 0,
      signal: null,
      errors: '',
      commands: [START_4, START_2, STOP],
    })
  })

  // With another thread Node 20 aborted now and then as the thread of the capture ended.
  test('compiles nothing on a thread of its own for that of the capture', async () => {
    const { pid } = await runtime(replay(recorded()))
    const child = spawn(process.execPath, ['--trace-opt', PROGRAM, 'stack-traces', '--pid', String(pid), '--wait'])
    children.add(child)
    child.stdin.on('error', () => {})
    child.stdin.write('go\n')
    const { code, output } = await ended(child)
    expect(code).toBe(0)
    // A function of the reader, which only that thread runs.
    const modes = Array.from(
      output.matchAll(/compiling method \S+ <JSFunction u8 .* mode: (\S+)\]/g),
      ([, mode]) => mode,
    )
    expect(modes).not.toEqual([])
    expect(new Set(modes)).toEqual(new Set(['ConcurrencyMode::kSynchronous']))
  })

  test('does nothing before the server’s line, and fails only after it', async () => {
    const { pid, commands } = await runtime(replay(recorded()))
    const patient = started(['stack-traces', '--pid', pid, '--wait'])
    const wrong = started(['stack-traces', '--pid', 'x', '--wait'])
    const ends = [ended(patient), ended(wrong)]
    await new Promise((later) => setTimeout(later, 700))
    expect([patient.exitCode, wrong.exitCode, commands]).toEqual([null, null, []])
    patient.stdin?.write('g')
    patient.stdin?.write('o\n')
    wrong.stdin?.write('go\n')
    const [good, bad] = await Promise.all(ends)
    expect(good?.code).toBe(0)
    expect(bad).toMatchObject({ code: 1, output: '', errors: '--pid takes a whole number, not "x".\n' })
  })

  test.each([
    ['a server that ends before its line', ['stack-traces', '--pid', 1, '--wait'], 'did not say'],
    ['dumps', ['dump', '--pid', 1, '--output', '/tmp/x', '--output-owner', 'root'], 'only reads stack traces'],
    ['dumps of the heap', ['gcdump', '--timeout', 5, '--pid', 1], 'only reads stack traces'],
    ['no arguments', [], 'only reads stack traces'],
  ])('%s: one sentence and exit code 1', async (_, args, sentence) => {
    const child = started(args)
    const result = ended(child)
    child.stdin?.end()
    expect(await result).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(sentence) })
  })

  test.each(
    /** @type {readonly [string, Parameters<typeof fakeRuntime>[0], string][]} */ ([
      ['no socket', null, 'has no diagnostics socket'],
      ['a socket of something else', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'not as a .NET'],
      ['a socket that hangs up', (_, socket) => socket.destroy(), 'without an answer'],
      ['a runtime that refuses', (_, socket) => socket.end(UNKNOWN_COMMAND), 'refused a sampling session'],
      ['rubbish for a stream', replay(Buffer.from('no nettrace, but long enough for one')), 'does not begin'],
      ['a stream that is cut off', replay(recorded().subarray(0, 2_000_000)), 'could not be read'],
      [
        'a server that dies in the middle',
        (command, socket, session) => (command === STOP ? (session?.destroy(), socket.destroy()) : socket.write(OK)),
        'without an answer',
      ],
    ]),
  )('%s: one sentence and exit code 1', async (_, answer, sentence) => {
    const { pid, files } = await runtime(answer)
    const result = await run('stack-traces', '--pid', pid, '--wait')
    expect(result).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(sentence) })
    expect(result.errors).toMatch(/^[^\n]+\.\n$/)
    expect(await files()).toEqual([])
  })

  test('a process that is gone: one sentence and exit code 1', async () => {
    const result = await run('stack-traces', '--pid', 2 ** 22 + 1, '--wait')
    expect(result).toMatchObject({ code: 1, errors: 'There is no process 4194305 (ENOENT).\n' })
  })

  test.each(
    /** @type {readonly [string, Parameters<typeof fakeRuntime>[0], boolean][]} */ ([
      ['never answers', () => {}, true],
      ['begins a session and never ends it', (command, socket) => command !== STOP && socket.write(OK), true],
      ['is not reached, as the server’s line never comes', () => {}, false],
    ]),
  )('ends itself when the socket %s', async (_, answer, go) => {
    const { pid, files } = await runtime(answer)
    const child = started(['stack-traces', '--pid', pid, '--wait', '--bound', 1500])
    if (go) child.stdin?.write('go\n')
    const result = await ended(child)
    expect(result).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('within 1.5 s') })
    expect(await files()).toEqual([])
  })

  test('ends itself in the middle of decoding', async () => {
    const { pid } = await runtime(replay(longWork()))
    const result = await run('stack-traces', '--pid', pid, '--wait', '--bound', 1500)
    expect(result).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('within 1.5 s') })
  })

  test('ends itself when the reader of its answer is gone', async () => {
    const { pid } = await runtime(replay(manyThreads()))
    // pipes of a shell: those of this process are sockets
    const line = 'echo go | { "$@"; echo "code $?" >&2; } | sleep 20'
    const args = [process.execPath, PROGRAM, 'stack-traces', '--pid', String(pid), '--wait', '--bound', '2000']
    const shell = spawn('sh', ['-c', line, 'sh', ...args], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    let errors = ''
    for await (const text of shell.stderr.setEncoding('utf8')) {
      errors += String(text)
      if (errors.includes('code')) break
    }
    process.kill(-(shell.pid ?? 0), 'SIGKILL')
    expect(errors).toBe('There was no answer within 2 s, so the helper ended itself.\ncode 1\n')
  })

  test('leaves nothing when it is killed', async () => {
    const { pid, commands, files } = await runtime((command, socket) => command !== STOP && socket.write(OK))
    const child = started(['stack-traces', '--pid', pid, '--wait'])
    child.stdin?.write('go\n')
    while (!commands.includes(STOP)) await new Promise((later) => setTimeout(later, 20))
    child.kill('SIGKILL')
    expect(await ended(child)).toMatchObject({ code: null, signal: 'SIGKILL', output: '' })
    expect(await files()).toEqual([])
  })
})

const SAMPLER = { id: 1, provider: 'Microsoft-DotNETCore-SampleProfiler', event: 0 }
const METHODS = { id: 2, provider: 'Microsoft-Windows-DotNETRuntimeRundown', event: 144 }

/**
 * @param {number} thread
 * @param {number} sequence
 */
function sample(thread, sequence) {
  return { kind: 1, thread, captureThread: 9, sequence, stack: 1, timeDelta: 1, payload: i32(1) }
}

/** A session whose answer is larger than any pipe. */
function manyThreads() {
  const samples = Array.from({ length: 60_000 }, (_, i) => sample(1_000_000 + i, i === 0 ? 0 : 1))
  return new Stream()
    .kinds([SAMPLER])
    .stacks(1, [[7]])
    .events(samples)
    .end()
}

/** A session whose methods all lie over one another, so that naming takes minutes. */
function longWork() {
  const stack = Array.from({ length: 100_000 }, (_, i) => 1000 + i)
  const payload = methodPayload({ module: 1, start: 1, size: 2 ** 30, names: ['A', 'B', '()'] })
  const methods = Array.from({ length: 20_000 }, () => ({ ...sample(1, 1), kind: 2, payload }))
  return new Stream()
    .kinds([SAMPLER, METHODS])
    .stacks(1, [stack])
    .events([sample(1, 0), ...methods])
    .end()
}
