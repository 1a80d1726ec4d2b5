// @ts-check
/**
 * Checks the rules of `.dependency-cruiser.cjs`. Vite's parser finds imports in a tenth of the time that dependency-cruiser
 * takes: where they break no rule, all is well, and dependency-cruiser decides about the rest. `--all`: it decides at once.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { PROJECT } from './cache.mjs'
import { lastWords, run } from './children.mjs'
import { fail, Plain } from './say.mjs'

const FOLDERS = ['src', 'e2e', 'tools', 'bench']
const CODE = /\.(?:tsx?|[cm]?js)$/
const TYPED = /\.tsx?$/
const EXTENSIONS = ['', '.ts', '.tsx', '.mjs', '.js', '.json']

const IMPORT_CALL = /\bimport\(\s*(['"`])([^'"`]+)\1/g
const REQUIRE_CALL = /\brequire\(\s*(['"])([^'"]+)\1/g
const TYPES_ONLY = /^(?:import|export)\s+type\s/
const REFERENCE = /^\/\/\/\s*<reference\s/m

/**
 * @typedef {object} Import
 * @property {string} from path from the project's folder
 * @property {string} to the same; in `node_modules` the package's name follows; unchanged where nothing was found
 * @property {boolean} typesOnly
 */

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {{ path?: string, pathNot?: string }} from
 * @property {{ path?: string, pathNot?: string, circular?: boolean, dependencyTypesNot?: string[] }} to
 */

/**
 * @param {string} path
 * @param {string} text
 * @returns {{ name: string, typesOnly: boolean }[]} what a file imports, as it is written there
 */
export function namesIn(path, text) {
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Plain(`${path} cannot be parsed.`)
  const named = module.staticImports.map(({ start, moduleRequest, entries }) => ({
    name: moduleRequest.value,
    typesOnly: TYPES_ONLY.test(text.slice(start, start + 20)) && entries.every(({ isType }) => isType),
  }))
  for (const { start, entries } of module.staticExports)
    for (const { moduleRequest, isType } of entries) {
      const name = moduleRequest?.value
      if (name !== undefined) named.push({ name, typesOnly: isType && TYPES_ONLY.test(text.slice(start, start + 20)) })
    }
  // A type may be imported within a line of TypeScript; in JavaScript that is a comment.
  const calls = TYPED.test(path)
    ? [...text.matchAll(IMPORT_CALL)]
    : module.dynamicImports.flatMap(({ start, end }) => Array.from(text.slice(start, end).matchAll(IMPORT_CALL)))
  for (const [, , name = ''] of [...calls, ...text.matchAll(REQUIRE_CALL)]) named.push({ name, typesOnly: false })
  return named
}

/**
 * @param {string} from
 * @param {string} name
 * @param {(path: string) => boolean} exists
 * @param {Readonly<Record<string, string>>} own what the package calls by `#`
 * @returns {string}
 */
export function resolved(from, name, exists, own = {}) {
  const plain = name.replace(/\?.*$/, '')
  const path = own[plain] ?? plain
  if (!path.startsWith('.')) return path.startsWith('node:') ? path : `node_modules/${path}`
  const at = own[plain] === undefined ? posix.join(posix.dirname(from), path) : posix.normalize(path)
  const end = EXTENSIONS.find((each) => exists(`${at}${each}`))
  return end === undefined ? name : `${at}${end}`
}

/**
 * @param {readonly Import[]} imports
 * @param {readonly Rule[]} rules
 * @returns {string[]} imports that break a rule, or may
 */
export function doubtful(imports, rules) {
  return rules.flatMap(({ name, from, to }) => {
    if (to.circular === true) return inCircles(imports).map((path) => `${name}: ${path}`)
    const [source, notSource] = [
      new RegExp(from.path ?? ''),
      from.pathNot === undefined ? null : new RegExp(from.pathNot),
    ]
    return imports
      .filter((each) => {
        const groups = source.exec(each.from)
        if (groups === null || notSource?.test(each.from) === true) return false
        const filled = (/** @type {string} */ pattern) =>
          new RegExp(pattern.replaceAll(/\$(\d)/g, (_, group) => groups[Number(group)] ?? ''))
        if (to.path !== undefined && !filled(to.path).test(each.to)) return false
        if (to.pathNot !== undefined && filled(to.pathNot).test(each.to)) return false
        return !(each.typesOnly && to.dependencyTypesNot?.includes('type-only') === true)
      })
      .map((each) => `${name}: ${each.from} → ${each.to}`)
  })
}

/**
 * @param {readonly Import[]} imports
 * @returns {string[]} files that lie on a circle, or between two
 */
function inCircles(imports) {
  /** @type {Map<string, Set<string>>} */
  const left = new Map()
  for (const { from, to } of imports) {
    left.set(from, (left.get(from) ?? new Set()).add(to))
    if (!left.has(to)) left.set(to, new Set())
  }
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const [from, all] of left) for (const to of all) importers.set(to, [...(importers.get(to) ?? []), from])
  // A file that imports none of those left lies on no circle.
  const ends = [...left].flatMap(([path, all]) => (all.size === 0 ? [path] : []))
  for (let path = ends.pop(); path !== undefined; path = ends.pop()) {
    left.delete(path)
    for (const importer of importers.get(path) ?? []) {
      const all = left.get(importer)
      if (all?.delete(path) === true && all.size === 0) ends.push(importer)
    }
  }
  return [...left.keys()]
}

/** @returns {string[]} what breaks a rule, or may */
function doubtfulHere() {
  const require = createRequire(import.meta.url)
  /** @type {{ forbidden: Rule[], options: object }} */
  const { forbidden } = require(join(PROJECT, '.dependency-cruiser.cjs'))
  /** @type {{ imports: Record<string, string> }} */
  const { imports: own } = require(join(PROJECT, 'package.json'))
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && CODE.test(entry.name))
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(PROJECT.length + 1)
          .split(sep)
          .join('/'),
      ),
  )
  const known = new Set(paths)
  const exists = (/** @type {string} */ path) => known.has(path) || isFile(path)
  const references = []
  /** @type {Import[]} */
  const imports = []
  for (const from of paths) {
    const text = readFileSync(join(PROJECT, from), 'utf8')
    if (REFERENCE.test(text)) references.push(`reference in ${from}`)
    for (const { name, typesOnly } of namesIn(from, text)) {
      const to = resolved(from, name, exists, own)
      // The compiler reports what a module lacks; `require` of another folder is none of this package.
      if (to.startsWith('.') && TYPED.test(from)) references.push(`not found: ${name} in ${from}`)
      imports.push({ from, to, typesOnly })
    }
  }
  return [...references, ...doubtful(imports, forbidden)]
}

const isFile = (/** @type {string} */ path) => posix.extname(path) !== '' && existsSync(join(PROJECT, path))

async function main() {
  const doubts = process.argv.includes('--all') ? ['all'] : doubtfulHere()
  if (process.argv.includes('--doubts')) process.stdout.write(`${doubts.join('\n')}\n`)
  if (doubts.length === 0) return
  const ran = await run('npx', ['--no-install', 'depcruise', ...FOLDERS], { cwd: PROJECT })
  if (ran.code !== 0) throw new Plain(`${ran.output}${ran.errors}`.trim() || lastWords(ran))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main().catch(fail)
