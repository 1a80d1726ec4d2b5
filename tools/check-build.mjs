// @ts-check
/**
 * Checks the limits of a build: size of the first load, file types, policy. `--again`: also builds again and compares
 * the bytes.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { DIST, VITE } from './build.mjs'
import { PROJECT } from './cache.mjs'
import { atEnd, lastWords, run } from './children.mjs'
import { packStudio, studioFiles, ZIP_NAME } from './pack.mjs'
import { fail } from './say.mjs'
import { temporaryFolder } from './temporary.mjs'

/** Maximum size of the JavaScript of the first load, gzipped, bytes. */
export const FIRST_LOAD_LIMIT = 250 * 1024

/**
 * @typedef {object} FirstLoad
 * @property {string[]} page scripts that the page loads before it shows anything, their static imports with them
 * @property {string[]} workers scripts of the workers that the page's scripts name, their static imports with them
 */

/** `new URL("x.js", import.meta.url)` in a script. Only workers are loaded by such an address. */
const SCRIPT_ADDRESS = /new\s+URL\(\s*["'`]([^"'`]+\.js)["'`]\s*,\s*(?:(?:""|``)\s*\+\s*)?import\.meta\.url/g

/**
 * Lists the files that a browser fetches as JavaScript before the user does anything.
 * @param {string} html of index.html
 * @param {(name: string) => string | undefined} read a script of the build by its path with `/`
 * @returns {FirstLoad}
 */
export function firstLoad(html, read) {
  const tags = [...html.matchAll(/<(script|link)\b[^>]*>/gi)].map(([tag]) => tag)
  const wanted = tags.filter((tag) => /^<script/i.test(tag) || /rel="?modulepreload/i.test(tag))
  const entries = wanted.flatMap((tag) => /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? [])
  const page = withImports(
    entries.map((entry) => posix.normalize(entry)),
    read,
  )
  const workers = page.flatMap((name) => workersOf(name, read))
  return { page, workers: withImports(workers, read).filter((name) => !page.includes(name)) }
}

/**
 * @param {string} name of a script
 * @param {(name: string) => string | undefined} read
 * @returns {string[]} entries of the workers that it names
 */
function workersOf(name, read) {
  return [...(read(name) ?? '').matchAll(SCRIPT_ADDRESS)].map((match) => resolveIn(name, match[1] ?? ''))
}

/** `import"./a.js"`, `export*from"./a.js"` and ``import(`./a.js`)``. */
const ANY_IMPORT = /\b(?:import|from)\s*\(?\s*["'`]([^"'`]+\.js)["'`]/g

/**
 * Finds worker entries that a script imports. WebKit evaluates such an entry a second time, so that its state exists
 * twice. (Every engine evaluates the entries of a page once.)
 * @param {readonly string[]} names of all scripts
 * @param {(name: string) => string | undefined} read
 * @returns {string[]} what is wrong, a sentence each
 */
export function checkEntries(names, read) {
  const entries = new Set(names.flatMap((name) => workersOf(name, read)))
  return names.flatMap((name) =>
    [...(read(name) ?? '').matchAll(ANY_IMPORT)]
      .map(([, path = '']) => resolveIn(name, path))
      .filter((imported) => entries.has(imported))
      .map((imported) => `${name} imports ${imported}, the entry of a worker`),
  )
}

/**
 * Finds scripts that import each other in a cycle: one of them runs before its imports are ready, and fails. Extracting
 * code that lazy parts share can create such cycles, although no source file has one.
 * @param {readonly string[]} names of all scripts
 * @param {(name: string) => string | undefined} read
 * @returns {string[]} what is wrong, a sentence each
 */
export function checkCircles(names, read) {
  const round = names.filter((name) => withImports(importsOf(name, read), read).includes(name))
  return round.length === 0 ? [] : [`these scripts import each other in circles: ${round.join(', ')}`]
}

/**
 * @param {readonly string[]} entries
 * @param {(name: string) => string | undefined} read
 * @returns {string[]} them and all that they import statically, sorted
 */
function withImports(entries, read) {
  const all = new Set(entries)
  for (const name of all) for (const imported of importsOf(name, read)) all.add(imported)
  return [...all].toSorted((a, b) => (a < b ? -1 : 1))
}

/**
 * @param {string} name of a script
 * @param {(name: string) => string | undefined} read
 * @returns {string[]} scripts that it imports statically
 */
function importsOf(name, read) {
  // `import"./a.js"`, `import{b}from"./a.js"`, `export*from"./a.js"`, and not `import("./a.js")`
  return [...(read(name) ?? '').matchAll(/(?:\bimport|\bfrom)\s*["']([^"']+\.js)["']/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.startsWith('.'))
    .map((path) => resolveIn(name, path))
}

/**
 * @param {string} from the script that names the path
 * @param {string} path
 * @returns {string} as a path of the build
 */
function resolveIn(from, path) {
  return posix.normalize(path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path))
}

/**
 * @param {string} html of index.html
 * @returns {string[]} what is wrong with it, a sentence each
 */
export function checkPage(html) {
  /** @type {string[]} */
  const wrong = []
  const policy = html.search(/<meta[^>]+http-equiv="Content-Security-Policy"/i)
  const script = html.search(/<(script|link)\b/i)
  if (policy < 0) wrong.push('index.html has no content security policy')
  else if (script >= 0 && script < policy) wrong.push('index.html loads something before its content security policy')
  for (const [tag, , body = ''] of html.matchAll(/<(script)\b[^>]*>([\s\S]*?)<\/script>/gi))
    if (body.trim() !== '' || !/\bsrc=/.test(tag)) wrong.push('index.html has an inline script')
  for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) {
    if (/\son[a-z]+\s*=/i.test(tag)) wrong.push(`index.html has an inline handler: ${tag.slice(0, 80)}`)
    if (/\scrossorigin\b/i.test(tag)) wrong.push(`index.html has a crossorigin attribute: ${tag.slice(0, 80)}`)
    const address = /\b(?:src|href|action|srcset)="\s*((?:[a-z][a-z0-9+.-]*:|\/)[^"]*)"/i.exec(tag)?.[1]
    if (address !== undefined && !address.startsWith('data:'))
      wrong.push(`index.html has an absolute address: ${address.slice(0, 80)}`)
  }
  return wrong
}

/**
 * @param {string} dist folder of a build
 * @returns {{ wrong: string[], report: string[] }} what is wrong, and the sizes, a sentence each
 */
export function checkBuild(dist) {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const wrong = checkPage(html)
  /** @type {string[]} */
  let scripts = []
  try {
    scripts = studioFiles(dist).filter((name) => name.endsWith('.js'))
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error))
  }
  const read = (/** @type {string} */ name) => {
    const path = join(dist, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }
  const { page, workers } = firstLoad(html, read)
  wrong.push(...checkEntries(scripts, read), ...checkCircles(scripts, read))
  for (const name of [...page, ...workers])
    if (read(name) === undefined) wrong.push(`${name} is loaded and does not exist`)
  const size = (/** @type {string} */ name) => gzipSync(read(name) ?? '', { level: 9 }).length
  const sizes = [
    ...page.map((name) => /** @type {const} */ (['page', name])),
    ...workers.map((name) => /** @type {const} */ (['worker', name])),
  ]
  const sum = sizes.reduce((total, [, name]) => total + size(name), 0)
  const report = sizes.map(([kind, name]) => `${kind}: ${name} ${kib(size(name))}`)
  report.push(`first load: ${kib(sum)} gzip of JavaScript, at most ${kib(FIRST_LOAD_LIMIT)}`)
  if (page.length === 0) wrong.push('index.html loads no script')
  if (sum > FIRST_LOAD_LIMIT)
    wrong.push(`the first load brings ${kib(sum)} gzip of JavaScript where ${kib(FIRST_LOAD_LIMIT)} are allowed`)
  return { wrong, report }
}

/** @param {number} bytes */
function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

/**
 * Builds again, into another folder, and compares the zips.
 * @param {string} dist
 * @returns {Promise<string[]>} what is wrong, a sentence each
 */
export async function checkSameAgain(dist) {
  const elsewhere = temporaryFolder('build')
  const clear = () => rmSync(elsewhere, { recursive: true, force: true })
  const off = atEnd({ hard: clear })
  try {
    const ran = await run(process.execPath, [VITE, 'build', '--outDir', elsewhere, '--emptyOutDir'], {
      cwd: PROJECT,
      env: { TZ: 'Asia/Tokyo' },
    })
    if (ran.code !== 0) return [`the second build failed: ${lastWords(ran)}`]
    const zips = [dist, elsewhere].map((dir) => readFileSync(join(dir, ZIP_NAME)))
    if (zips[0]?.equals(zips[1] ?? Buffer.of()) !== true) return [`${ZIP_NAME} is not the same when it is built again`]
    const first = packStudio(elsewhere)
    const second = packStudio(elsewhere)
    return first.sha256 === second.sha256 ? [] : [`${basename(dirname(first.path))} is not packed the same again`]
  } finally {
    clear()
    off()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { wrong, report } = checkBuild(DIST)
  process.stdout.write(`${report.join('\n')}\n`)
  if (process.argv.includes('--again')) wrong.push(...(await checkSameAgain(DIST)))
  if (wrong.length > 0) fail(wrong.map((line) => `${line}.`).join('\n'))
}
