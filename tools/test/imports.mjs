// @ts-check
/** Finds the tests in Node that a change can affect, for `npm test -- --changed`. */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { PROJECT } from '../cache.mjs'
import { run } from '../children.mjs'

const CODE = /\.(?:tsx?|[cm]?js|mts)$/
/** All but those on real servers, which are a suite of their own. */
const TEST = /^(?:src|tools|e2e\/(?:audit|soak))\/(?!.*\/real-server\.test\.).*\.test\.(?:tsx?|mjs)$/

/** Files that every test depends on without naming them. */
const EVERYWHERE = [
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'src/testing/dom-setup.ts',
  'src/testing/imports-setup.ts',
  'src/ui/jsx/jsx-dev-runtime.ts',
]

const TYPES_ONLY = /\b(?:import|export) type\b[^'"]*?from\s*['"][^'"]+['"]/g
const LOADED_LATER = /\bimport\(\s*['"][^'"]+['"]\s*\)/g
const RELATIVE = /['"`](\.{1,2}\/[^'"`\n?]+)/g

/** Definition of a panel, which each panel's tests import for its title. */
const PANEL = /^(src\/features\/[^/]+\/)panel\.ts$/

/**
 * Relative paths that a file names, in imports or elsewhere: programs to start, folders of recordings. Types do not run.
 * @param {string} path
 * @param {string} text
 * @returns {{ named: readonly string[], later: readonly string[] }} paths from the project's folder; `later`: views that
 *   a panel's definition loads when the panel opens
 */
function namesIn(path, text) {
  const at = posix.dirname(path)
  const names = (/** @type {string} */ from) =>
    [...from.matchAll(RELATIVE)].map(([, name = '']) => posix.join(at, name))
  const runs = text.replaceAll(TYPES_ONLY, '')
  if (!PANEL.test(path)) return { named: names(runs), later: [] }
  const later = [...runs.matchAll(LOADED_LATER)].flatMap(([found]) => names(found))
  return { named: names(runs.replaceAll(LOADED_LATER, '')), later }
}

/**
 * Tests that reach a changed file by what they name, and by what that names. The view of a panel is reached by tests of
 * the app and of its own feature only: others have its title at most.
 * @param {readonly string[]} changed paths from the project's folder
 * @param {ReadonlyMap<string, string>} texts of all files with code, by path
 * @returns {readonly string[] | null} paths; null: all tests
 */
export function testsReaching(changed, texts) {
  const names = new Map([...texts].map(([path, text]) => [path, namesIn(path, text)]))
  // Data is read from a folder that is named.
  const data = changed.filter((path) => !CODE.test(path)).flatMap(foldersOf)
  const wanted = new Set([...changed, ...data])
  const isReachedFrom = (/** @type {readonly string[]} */ roots, /** @type {(path: string) => boolean} */ opens) => {
    const seen = new Set()
    const next = [...roots]
    for (let path = next.pop(); path !== undefined; path = next.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      if (wanted.has(path)) return true
      const { named = [], later = [] } = names.get(path) ?? {}
      next.push(...named, ...(opens(path) ? later : []))
    }
    return false
  }
  if (isReachedFrom(EVERYWHERE, () => false)) return null
  return [...texts.keys()].filter((test) => {
    const opens = (/** @type {string} */ path) =>
      test.startsWith('src/app/') || test.startsWith(PANEL.exec(path)?.[1] ?? path)
    return TEST.test(test) && isReachedFrom([test], opens)
  })
}

/**
 * @param {string} path
 * @returns {string[]} the folders around a file, but for those at the top, which name too much
 */
function foldersOf(path) {
  const parts = path.split('/')
  return parts.slice(2).map((_, i) => parts.slice(0, i + 2).join('/'))
}

/**
 * @param {readonly string[]} changed paths from the project's folder
 * @returns {Promise<readonly string[] | null>} as `testsReaching`
 */
export async function changedTests(changed) {
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: PROJECT })
  const paths = output.split('\n').filter((path) => CODE.test(path) && existsSync(join(PROJECT, path)))
  return testsReaching(changed, new Map(paths.map((path) => [path, readFileSync(join(PROJECT, path), 'utf8')])))
}
