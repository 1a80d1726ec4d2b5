// @ts-check
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { PROJECT } from './cache.mjs'
import { checkCircles, checkEntries, checkPage, firstLoad } from './check-build.mjs'
import { checkLock } from './check-lock.mjs'
import { sameDependencies } from './dependencies.mjs'
import { number, options, serverUrl } from './options.mjs'
import { createSay, Plain } from './say.mjs'

const POLICY = '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">'
const SCRIPT = '<script type="module" src="./assets/index.js"></script>'

test('a page as it should be passes', () => {
  expect(checkPage(`<html>${POLICY}${SCRIPT}<link rel="icon" href="data:,"></html>`)).toEqual([])
})

test.each([
  ['no policy', SCRIPT, 'no content security policy'],
  ['a late policy', SCRIPT + POLICY, 'before its content security policy'],
  ['an inline script', `${POLICY}<script>x()</script>`, 'inline script'],
  ['an inline handler', `${POLICY}<p onclick="x()">`, 'inline handler'],
  ['another origin', `${POLICY}<script src="https://cdn.example/a.js"></script>`, 'absolute address'],
  ['another origin without a scheme', `${POLICY}<img src="//cdn.example/a.png">`, 'absolute address'],
  ['an address from the root', `${POLICY}<link rel="stylesheet" href="/assets/a.css">`, 'absolute address'],
  ['crossorigin', `${POLICY}<script crossorigin src="./a.js"></script>`, 'crossorigin'],
])('a page with %s does not', (_, html, wrong) => {
  expect(checkPage(html).join()).toContain(wrong)
})

test('the first load is the scripts, their static imports and the workers', () => {
  /** @type {Record<string, string>} */
  const files = {
    'assets/index.js':
      'import"./a.js";import{b}from"./b.js";import("./lazy.js");new Worker(new URL(new URL(`w.js`,import.meta.url).href,``+import.meta.url))',
    'assets/a.js': 'export*from"./c.js"',
    'assets/b.js': 'import"./a.js"',
    'assets/c.js': '',
    'assets/w.js': 'import"./wasm.js"',
    'assets/lazy.js': '',
  }
  const html = `${SCRIPT}<link rel="modulepreload" href="./assets/pre.js">`
  expect(firstLoad(html, (name) => files[name])).toEqual({
    page: ['assets/a.js', 'assets/b.js', 'assets/c.js', 'assets/index.js', 'assets/pre.js'],
    workers: ['assets/w.js', 'assets/wasm.js'],
  })
})

test('nothing may import the entry of a worker', () => {
  /** @param {Record<string, string>} files */
  const wrong = (files) => checkEntries(Object.keys(files), (name) => files[name])
  const index = 'import"./start.js";new Worker(new URL(new URL(`w.js`,import.meta.url).href,``+import.meta.url))'
  const good = { 'assets/index.js': index, 'assets/w.js': 'import"./host.js"', 'assets/host.js': 'import(`./lazy.js`)' }
  expect(wrong({ ...good, 'assets/lazy.js': 'import{a}from"./host.js"' })).toEqual([])
  const sentences = ['assets/lazy.js imports assets/w.js, the entry of a worker']
  for (const lazy of ['import{a}from"./w.js"', 'import"./w.js"', 'export*from"./w.js"', 'import(`./w.js`)'])
    expect(wrong({ ...good, 'assets/lazy.js': lazy })).toEqual(sentences)
})

test('scripts that import each other in a circle are named, others are not', () => {
  /** @type {Record<string, string>} */
  const files = {
    'assets/a.js': 'import{b}from"./b.js"',
    'assets/b.js': 'import"./c.js";import(`./a.js`)',
    'assets/c.js': 'export*from"./a.js"',
    'assets/d.js': 'import"./a.js"',
  }
  const read = (/** @type {string} */ name) => files[name]
  const names = Object.keys(files)
  expect(checkCircles(names, read)).toEqual([
    'these scripts import each other in circles: assets/a.js, assets/b.js, assets/c.js',
  ])
  files['assets/c.js'] = 'import(`./a.js`)'
  expect(checkCircles(names, read)).toEqual([])
})

test('a lock file must hold every optional dependency, and no address', () => {
  const packages = {
    '': {},
    'node_modules/a': { optionalDependencies: { 'a-linux': '1', 'a-mac': '1' } },
    'node_modules/a/node_modules/a-linux': {},
    'node_modules/b': { resolved: 'https://registry.example/b.tgz', optionalDependencies: { 'a-mac': '1' } },
  }
  expect(checkLock({ packages })).toEqual([
    'node_modules/a: a-mac is not in the lock file',
    'node_modules/b: the lock file names where it was downloaded from',
    'node_modules/b: a-mac is not in the lock file',
  ])
})

test('dependencies are the same when all that this platform needs is there, and nothing else', () => {
  const wanted = { '': {}, a: { version: '1' }, mac: { version: '1', optional: true } }
  expect(sameDependencies(wanted, { a: { version: '1' } })).toBe(true)
  expect(sameDependencies(wanted, { a: { version: '2' } })).toBe(false)
  expect(sameDependencies(wanted, {})).toBe(false)
  expect(sameDependencies(wanted, { a: { version: '1' }, old: { version: '1' } })).toBe(false)
})

test.each([
  ['16.20.2', 'Node 16.20.2 is too old: install Node 20.19.0 or newer.'],
  ['20.10.0', 'Node 20.10.0 is too old: install Node 20.19.0 or newer.'],
  ['20.19.0', ''],
  ['100.0.0', ''],
])('commands in Node %s end with “%s”', (version, said) => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./tools/node.cjs')`
  const { stderr, status } = spawnSync(process.execPath, ['-e', script], { cwd: PROJECT, encoding: 'utf8' })
  expect(stderr.trim()).toBe(said)
  expect(status).toBe(said === '' ? 0 : 1)
})

test('npx rookery ends with that sentence, too', () => {
  const old = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '16.20.2' })"
  const args = ['--import', old, 'tools/rookery.mjs', '--help']
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: PROJECT, encoding: 'utf8' })
  expect(stderr.trim()).toBe('Node 16.20.2 is too old: install Node 20.19.0 or newer.')
  expect(status).toBe(1)
})

test('a wrong option is one sentence', () => {
  expect(() => options({ port: { type: 'string' } }, '', ['--prot', '1'])).toThrow(Plain)
  expect(() => options({ port: { type: 'string' } }, '', ['stray'])).toThrow("Unexpected argument 'stray': see --help.")
  expect(() => options({ port: { type: 'string' } }, '', ['--port'])).toThrow(
    "Option '--port <value>' argument missing: see --help.",
  )
  expect(() => options({ port: { type: 'string' } }, '', ['--port', '-1'])).toThrow(
    "Option '--port' argument is ambiguous: see --help.",
  )
  expect(options({ port: { type: 'string' } }, '', ['--port', '1'])).toEqual({ port: '1' })
})

test.each(['x', '', '1.5', '-1', '70000', 'NaN', '1e9'])('--port %s is refused', (value) => {
  expect(() => number('--port', value, { max: 65_535 })).toThrow('--port takes')
})

test.each(['127.0.0.1:8080', 'ftp://a', 'http://user:secret@a', ''])('--server %s is refused', (value) => {
  expect(() => serverUrl('--server', value)).toThrow('--server takes')
})

test.each(['http://a:8080/studio/index.html', 'https://a/raven', 'http://a/?x', 'http://a/#x'])(
  '--server %s is refused for what follows the origin',
  (value) => {
    expect(() => serverUrl('--server', value)).toThrow(/^--server takes .* without a path: https?:\/\/a(:8080)?, not /)
  },
)

test('a slash after the origin of --server is no path', () => {
  expect(serverUrl('--server', 'http://a:8080/')?.href).toBe('http://a:8080/')
})

test('progress is shown now and then, with bytes and time', () => {
  let time = 0
  let reported = ''
  const say = createSay({ now: () => time, write: (text) => void (reported += text) })
  say.step('Getting it')
  for (; time < 5000; time += 500) say.progress('it', { bytes: time * 1000, total: 5e6 })
  say.done()
  expect(reported).toBe('Getting it …\n  it: 2.0 MB of 5.0 MB, 2.0 s\n  it: 4.0 MB of 5.0 MB, 4.0 s\n  done (5.0 s)\n')
})
