// @ts-check
/** Creates `Raven.Studio.zip` from a build: the same bytes every time, and only files that the server can serve. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { zipSync } from 'fflate'

/** Name of the file that the server looks for in the folder of its setting `Studio.Path`. */
export const ZIP_NAME = 'Raven.Studio.zip'

/** Types of files whose content type the server knows. It responds with 500 to any other file. */
export const SERVED = new Set(
  '.html .htm .txt .css .js .map .ico .jpg .gif .png .json .svg .ttf .woff .woff2 .eot'.split(' '),
)

/** Types of files in the build's folder that are not part of the zip. */
const LEFT_OUT = new Set(['.map', '.zip'])

/**
 * @param {string} path
 * @returns {string} such as `.js`; '' when there is none
 */
export function extension(path) {
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? ''
}

/**
 * @typedef {object} Packed
 * @property {string} path of the zip, absolute
 * @property {number} bytes its size
 * @property {string[]} files names in it, sorted
 * @property {string} sha256
 */

/**
 * Lists the files of a build that belong in the zip.
 * @param {string} dir
 * @returns {string[]} paths with `/`, relative to `dir`, sorted by code unit
 * @throws {Error} for a file that the server cannot serve
 */
export function studioFiles(dir) {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !LEFT_OUT.has(extension(name)))
  const odd = files.filter((name) => !SERVED.has(extension(name)))
  if (odd.length > 0)
    throw new Error(`RavenDB cannot serve ${odd.join(', ')}: it knows ${[...SERVED].join(' ')} only. Rename or inline.`)
  return files.toSorted((a, b) => (a < b ? -1 : 1))
}

/**
 * Writes `Raven.Studio.zip` into the folder it packs.
 * @param {string} distDir
 * @returns {Packed}
 * @throws {Error} for a file that the server cannot serve, or a build without index.html
 */
export function packStudio(distDir) {
  const dir = resolve(distDir)
  const path = join(dir, ZIP_NAME)
  const files = studioFiles(dir)
  if (!files.includes('index.html')) throw new Error(`${dir} has no index.html: it is no build of the studio.`)
  // Times in a zip are local times without a zone: built from local parts, they are the same everywhere.
  const same = /** @type {const} */ ({ level: 9, mtime: new Date(1980, 0, 1), os: 0, attrs: 0 })
  /** @type {import('fflate').Zippable} */
  const tree = {}
  for (const name of files) {
    // Packed already; at another level it would only take time.
    const level = extension(name) === '.woff2' ? 0 : same.level
    tree[name] = [readFileSync(join(dir, name)), { ...same, level }]
  }
  const zip = zipSync(tree)
  writeFileSync(path, zip)
  return { path, bytes: zip.length, files, sha256: createHash('sha256').update(zip).digest('hex') }
}

/**
 * Packs Vite's output after all other plugins. A failed build is not packed, and keeps its own error.
 * @returns {import('vite').Plugin}
 */
export function studioZip() {
  let dir = 'dist'
  let failed = false
  return {
    name: 'rookery-studio-zip',
    apply: 'build',
    configResolved(config) {
      dir = resolve(config.root, config.build.outDir)
    },
    buildStart() {
      failed = false
      rmSync(join(dir, ZIP_NAME), { force: true })
    },
    buildEnd(error) {
      failed = error !== undefined
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (failed) return
        const { path, bytes, files } = packStudio(dir)
        this.info(`${relative(process.cwd(), path)}: ${files.length} files, ${(bytes / 1024).toFixed(1)} KiB`)
      },
    },
  }
}
