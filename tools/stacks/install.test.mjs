// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PROJECT } from '../cache.mjs'
import { withHelper } from '../ravendb/run.mjs'
import { installHelper } from './install.mjs'

/** @type {string[]} */
const made = []

afterEach(() => {
  vi.unstubAllEnvs()
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true })
})

function serverFolder(parent = tmpdir()) {
  const dir = mkdtempSync(join(parent, 'rookery-install-test-'))
  made.push(dir)
  writeFileSync(join(dir, 'Raven.Server.dll'), '')
  return dir
}

/**
 * @param {string} dir
 * @param {readonly string[]} args
 */
async function launch(dir, args) {
  const child = spawn(join(dir, 'Raven.Debug'), args, { env: { NODE_OPTIONS: '--no-such-option' } })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  child.stdin.on('error', () => {})
  setTimeout(() => child.stdin.write('go\n'), 300)
  const began = Date.now()
  const [code] = await once(child, 'close')
  return { code, output, errors, waited: Date.now() - began > 250 }
}

describe.skipIf(process.platform !== 'linux')('the launcher', () => {
  test('appears beside a server of ours, once', async () => {
    const dir = serverFolder()
    expect(await installHelper(dir)).toBe('installed')
    expect(statSync(join(dir, 'Raven.Debug')).mode & 0o777).toBe(0o755)
    expect(await installHelper(dir)).toBe('present')
    expect(readdirSync(dir)).toEqual(['Raven.Debug', 'Raven.Server.dll'])
  })

  test('appears once and whole when many install it at once', async () => {
    const dir = serverFolder()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => installHelper(dir)))
    expect(outcomes).toContain('installed')
    expect(readdirSync(dir)).toEqual(['Raven.Debug', 'Raven.Server.dll'])
  })

  test('needs no PATH and no settings of Node', async () => {
    const dir = serverFolder()
    await installHelper(dir)
    expect(await launch(dir, ['dump', '--pid', '1', '--wait'])).toEqual({
      code: 1,
      output: '',
      errors: 'This helper only reads stack traces, not "dump".\n',
      waited: true,
    })
  })

  test('passes arguments on from a folder of any name', async () => {
    const dir = serverFolder()
    const odd = join(dir, 'it\'s $HOME "here"')
    mkdirSync(odd)
    writeFileSync(join(odd, 'echo.mjs'), 'console.log(JSON.stringify(process.argv.slice(2)))')
    await installHelper(dir, { helper: join(odd, 'echo.mjs') })
    const { output } = await launch(dir, ['stack-traces', '--pid', '1', "a b'c"])
    expect(JSON.parse(output)).toEqual(['stack-traces', '--pid', '1', "a b'c"])
  })

  test.each([
    ['Node', { node: '/nowhere/node' }],
    ['its program', { helper: '/nowhere/helper.mjs' }],
  ])('is code 127 and a sentence where %s is gone, after the server’s line', async (_, gone) => {
    const dir = serverFolder()
    await installHelper(dir, gone)
    const { code, output, errors, waited } = await launch(dir, ['stack-traces', '--pid', '1', '--wait'])
    expect({ code, output, waited }).toEqual({ code: 127, output: '', waited: true })
    expect(errors).toMatch(/^The stack helper needs .*\/nowhere\/.*\.\n$/)
  })

  test('of an earlier place is renewed', async () => {
    const dir = serverFolder()
    await installHelper(dir, { node: '/nowhere/node' })
    expect(await installHelper(dir)).toBe('installed')
    expect(readFileSync(join(dir, 'Raven.Debug'), 'utf8')).toContain(process.execPath)
  })

  test('never takes the place of another tool', async () => {
    const dir = serverFolder()
    writeFileSync(join(dir, 'Raven.Debug'), '\u007fELF\n')
    expect(await installHelper(dir)).toBe('present')
    expect(readFileSync(join(dir, 'Raven.Debug'), 'utf8')).toBe('\u007fELF\n')
  })

  test('never comes into a folder that is not ours, or that the environment names', async () => {
    const users = serverFolder()
    vi.stubEnv('ROOKERY_RAVENDB_DIR', users)
    expect(await installHelper(users)).toBe('not ours')
    const below = join(users, 'Server')
    mkdirSync(below)
    writeFileSync(join(below, 'Raven.Server.dll'), '')
    expect(await installHelper(below)).toBe('not ours')
    // A checkout below the folder for temporary files would be one of ours: then there is no better place to try.
    const elsewhere = PROJECT.startsWith(tmpdir()) ? users : serverFolder(join(PROJECT, 'node_modules'))
    expect(await installHelper(elsewhere)).toBe('not ours')
    for (const dir of [users, below, elsewhere]) expect(existsSync(join(dir, 'Raven.Debug'))).toBe(false)
  })

  test('needs a server', async () => {
    const dir = serverFolder()
    rmSync(join(dir, 'Raven.Server.dll'))
    expect(await installHelper(dir)).toBe('no server')
    expect(readdirSync(dir)).toEqual([])
  })

  test.each(
    /** @type {const} */ ([
      ['assembled', true],
      ['official', true],
      ['environment', false],
    ]),
  )('comes with a server that is %s: %s', async (origin, comes) => {
    const dir = serverFolder()
    writeFileSync(join(dir, 'Raven.Server'), '')
    expect(await withHelper({ dir, version: '7.1.5', origin, cached: true })).toBe(dir)
    expect(existsSync(join(dir, 'Raven.Debug'))).toBe(comes)
  })
})
