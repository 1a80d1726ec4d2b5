// @ts-check
/**
 * `npm run beside -- --studio Raven.Studio.zip --out FOLDER`: copies the zip of the official Studio and adds this
 * studio under `rookery/`. If the server's `Studio.Path` names that folder, `/studio/index.html` remains the official
 * Studio and `/studio/rookery/index.html` is Rookery.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unzipSync, zipSync } from 'fflate'
import { DIST, ensureBuild } from './build.mjs'
import { options } from './options.mjs'
import { studioFiles, ZIP_NAME } from './pack.mjs'
import { createSay, fail, Plain, sentence } from './say.mjs'

const HELP = `
npm run beside -- --studio ZIP --out FOLDER

  --studio ZIP    the official Raven.Studio.zip, beside Raven.Server; it is only read
  --out FOLDER    gets the joined Raven.Studio.zip; let the server's setting Studio.Path name it
`

/** Folder of the joined zip that contains this studio. */
export const FOLDER = 'rookery'

/**
 * Joins a build into a copy of the official zip. Replaces the files of an earlier join.
 * @param {{ official: string, dist: string, out: string }} paths
 * @returns {string} path of the joined zip
 * @throws {Plain} when the official zip is none
 */
export function joinBeside({ official, dist, out }) {
  if (!existsSync(official))
    throw new Plain(`There is no ${official}: name the Raven.Studio.zip that lies beside Raven.Server.`)
  /** @type {import('fflate').Zippable} */
  const tree = {}
  try {
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(official))))
      if (!name.startsWith(`${FOLDER}/`) && !name.endsWith('/')) tree[name] = bytes
  } catch (error) {
    throw new Plain(
      `${official} could not be read as a zip (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
  if (!('index.html' in tree)) throw new Plain(`${official} has no index.html: it is not the Studio of RavenDB.`)
  for (const name of studioFiles(dist)) tree[`${FOLDER}/${name}`] = readFileSync(join(dist, name))
  mkdirSync(out, { recursive: true })
  const path = join(out, ZIP_NAME)
  if (resolve(path) === resolve(official))
    throw new Plain(`${path} is the official zip itself: name another folder with --out.`)
  // The zip appears in one step: a server that watches the folder must not see an incomplete one.
  writeFileSync(`${path}.part`, zipSync(tree, { level: 6 }))
  renameSync(`${path}.part`, path)
  return path
}

async function main() {
  const { studio, out } = options({ studio: { type: 'string' }, out: { type: 'string' } }, HELP)
  if (typeof studio !== 'string' || typeof out !== 'string')
    throw new Plain('Both --studio and --out are needed: see --help.')
  const say = createSay()
  await ensureBuild(say)
  const path = joinBeside({ official: resolve(studio), dist: DIST, out: resolve(out) })
  say.done(`${path}: set Studio.Path to its folder and open /studio/${FOLDER}/index.html`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  main().catch((/** @type {unknown} */ error) => fail(sentence(error)))
