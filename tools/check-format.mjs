// @ts-check
/**
 * Checks that Prettier would leave every file unchanged. oxfmt formats nearly all of them alike in a hundredth of the
 * time: files that it would leave unchanged pass, and Prettier decides about the rest. `--all`: Prettier decides about
 * every file.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { PROJECT } from './cache.mjs'
import { lastWords, run } from './children.mjs'
import { fail, Plain } from './say.mjs'
import { temporaryFolder } from './temporary.mjs'

/**
 * Lists the files that oxfmt, with Prettier's options, would format differently.
 * @returns {Promise<string[]>}
 */
async function doubtful() {
  const folder = temporaryFolder('format')
  try {
    const config = join(folder, 'oxfmtrc.json')
    const options = JSON.parse(readFileSync(join(PROJECT, '.prettierrc.json'), 'utf8'))
    writeFileSync(config, JSON.stringify({ ...options, sortPackageJson: false }))
    const ran = await run('npx', ['--no-install', 'oxfmt', '-c', config, '--list-different', '.'], { cwd: PROJECT })
    // Exit code 1: some files differ.
    if (ran.code !== 0 && (ran.code !== 1 || ran.output === '')) throw new Plain(`oxfmt failed: ${lastWords(ran)}.`)
    return ran.output.split('\n').filter((path) => path !== '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main() {
  const paths = process.argv.includes('--all') ? ['.'] : await doubtful()
  if (paths.length === 0) return
  const ran = await run('npx', ['--no-install', 'prettier', '--check', ...paths], { cwd: PROJECT })
  if (ran.code !== 0) throw new Plain(`${ran.output}${ran.errors}`.trim() || lastWords(ran))
}

main().catch(fail)
