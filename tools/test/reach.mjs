// @ts-check
/** Selects the end-to-end tests that a change can affect, for `npm test -- --changed`. */
import { PROJECT } from '../cache.mjs'
import { lastWords, run } from '../children.mjs'
import { Plain } from '../say.mjs'

/**
 * End-to-end tests of the code below a folder; the first matching entry applies. For a feature these are its own tests;
 * for code on which all features depend, those that exercise most of it.
 * @type {readonly (readonly [folder: string, specs: readonly string[]])[]}
 */
export const REACH = [
  ['src/features/activity/', ['real/operations', 'real/actions.spec']],
  ['src/features/archive/', ['real/record']],
  ['src/features/cluster-log/', ['real/cluster-log']],
  ['src/features/compare/', ['page/compare']],
  ['src/features/databases/', ['real/database-page', 'page/sources']],
  ['src/features/documents/', ['real/documents']],
  ['src/features/files/', ['page/files', 'page/export']],
  ['src/features/index-definitions/', ['real/index-definitions']],
  ['src/feeds/indexing/', ['real/indexing', 'real/index-names']],
  ['src/features/indexing/', ['real/indexing', 'real/index-names']],
  ['src/feeds/io/', ['real/flow', 'page/limits', 'page/raw-viewer']],
  ['src/features/io/', ['real/flow', 'page/limits', 'page/raw-viewer']],
  ['src/features/package/', ['page/package', 'real/package']],
  ['src/features/query/', ['real/query']],
  ['src/feeds/server/', ['page/server', 'real/vitals']],
  ['src/features/server/', ['page/server', 'real/vitals']],
  ['src/features/triage/', ['page/server', 'real/findings']],
  ['src/features/servers/', ['real/servers']],
  ['src/feeds/stacks/', ['page/stacks', 'real/stacks.spec']],
  ['src/features/stacks/', ['page/stacks', 'real/stacks.spec']],
  ['src/features/stalls/', ['page/stalls']],
  ['src/features/timeline/', ['real/timeline']],
  ['src/recorder/', ['real/record']],
  ['src/capture/archive/', ['real/record']],
  ['src/actions/', ['real/actions.spec', 'real/actions-safety']],
  ['src/', ['real/flow', 'page/states', 'page/using']],
  ['index.html', ['page/states']],
  ['vite.config.ts', ['page/states', 'page/worker']],
  ['tools/serve', ['real/places']],
  ['tools/stacks/', ['real/stacks-helper']],
  ['e2e/audit/', ['real/audit']],
  ['e2e/support/', ['real/flow', 'page/states']],
]

/**
 * @param {readonly string[]} changed paths from the project's folder
 * @returns {{ page: string[], real: string[] }} filters of Playwright
 */
export function specsOf(changed) {
  const specs = new Set(
    changed.flatMap((path) => {
      const own = /^e2e\/((?:page|real)\/[^/]+\.spec)\.ts$/.exec(path)?.[1]
      if (own !== undefined) return [own]
      if (/\.test\.\w+$/.test(path) || path.startsWith('src/testing/')) return []
      return REACH.find(([folder]) => path.startsWith(folder))?.[1] ?? []
    }),
  )
  const of = (/** @type {string} */ folder) => [...specs].filter((spec) => spec.startsWith(folder)).toSorted()
  return { page: of('page/'), real: of('real/') }
}

/**
 * @returns {Promise<string[]>} what changed since this branch left `main`, or else since the last commit; uncommitted
 *   files as well
 * @throws {Plain} where it is no checkout
 */
export async function changedSinceMain() {
  const git = async (/** @type {string[]} */ ...args) => {
    const ran = await run('git', args, { cwd: PROJECT })
    return { ok: ran.code === 0, text: ran.output.trim(), why: lastWords(ran) }
  }
  const bases = [await git('merge-base', 'HEAD', 'origin/main'), await git('merge-base', 'HEAD', 'main')]
  const since = bases.find(({ ok }) => ok)?.text ?? 'HEAD'
  const committed = await git('diff', '--name-only', '--diff-filter=d', since)
  if (!committed.ok) throw new Plain(`What changed is not known: ${committed.why}.`)
  const added = await git('ls-files', '--others', '--exclude-standard')
  return [...committed.text.split('\n'), ...added.text.split('\n')].filter((path) => path !== '')
}
