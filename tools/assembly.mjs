// @ts-check
/**
 * Vite plugin for imports that end in `.ts?wasm`. Such a file is AssemblyScript: a module whose default export is a
 * function that returns the compiled `WebAssembly.Module`. The script contains the module's bytes, since the server
 * serves no file of type `.wasm`.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PROJECT } from './cache.mjs'
import { run } from './children.mjs'

const ASKED = /\.ts\?wasm$/
/** Compiler, which runs in a separate process because its types redefine those of JavaScript. */
const COMPILER = join(PROJECT, 'node_modules', 'assemblyscript', 'bin', 'asc.js')
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd']
const COMPILE_MS = 120_000

/** Folder of compiled modules, beside the caches of other tools. Removed with `node_modules`. */
export const KEPT = join(PROJECT, 'node_modules', '.cache', 'rookery-assembly')
const IMPORTED = /^\s*(?:import|export)\b[^'"]*from\s*['"](\.{1,2}\/[^'"]+)['"]/gm

/** @type {Map<string, Promise<Buffer>>} compilations of this process, by their source */
const underWay = new Map()

/**
 * Compiles a file, or returns the result of an earlier compilation of the same source by any process.
 * @param {string} path of an AssemblyScript file
 * @returns {Promise<Buffer>}
 * @throws {Error} with the compiler's messages
 */
export async function compileAssembly(path) {
  const hash = await hashOf(path)
  const name = `${basename(path, '.ts')}-${hash}.wasm`
  const known = underWay.get(name)
  if (known !== undefined) return known
  const compiled = readFile(join(KEPT, name)).catch(() => compile(path, name))
  underWay.set(name, compiled)
  return compiled.finally(() => underWay.delete(name))
}

/**
 * @param {string} path
 * @param {string} name of what is kept
 * @returns {Promise<Buffer>}
 */
async function compile(path, name) {
  await mkdir(KEPT, { recursive: true })
  const scratch = await mkdtemp(join(KEPT, 'tmp-'))
  const out = join(scratch, 'out.wasm')
  try {
    const args = [COMPILER, path, '--baseDir', PROJECT, '--outFile', out, ...OPTIONS]
    const { code, errors, output } = await run(process.execPath, args, { cwd: PROJECT, timeout: COMPILE_MS })
    if (code !== 0) throw new Error(`${path} does not compile:\n${errors}${output}`)
    const bytes = await readFile(out)
    // The file appears in one step: another process may read it.
    await rename(out, join(KEPT, name))
    return bytes
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * @param {string} path of an AssemblyScript file
 * @returns {Promise<string>} hash of all that decides what it is compiled to
 */
async function hashOf(path) {
  const hash = createHash('sha256').update(JSON.stringify(OPTIONS))
  hash.update(await readFile(join(PROJECT, 'node_modules', 'assemblyscript', 'package.json')))
  for (const file of (await withImports(path)).toSorted()) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

/**
 * @param {string} path
 * @param {Set<string>} [known]
 * @returns {Promise<string[]>} it and all that it imports
 */
async function withImports(path, known = new Set()) {
  if (known.has(path)) return [...known]
  known.add(path)
  const text = await readFile(path, 'utf8')
  for (const [, name = ''] of text.matchAll(IMPORTED))
    await withImports(join(dirname(path), name.endsWith('.ts') ? name : `${name}.ts`), known)
  return [...known]
}

/** @returns {import('vite').Plugin} */
export function assembly() {
  return {
    name: 'rookery-assembly',
    enforce: 'pre',
    configureVitest({ experimental_defineCacheKeyGenerator: decide }) {
      // Vitest would cache the module by the text of this one file, regardless of its imports. `KEPT` caches the slow
      // part.
      decide(({ id }) => (ASKED.test(id) ? false : undefined))
    },
    async load(id) {
      if (!ASKED.test(id)) return null
      const path = id.replace(/\?wasm$/, '')
      this.addWatchFile(path)
      const text = (await compileAssembly(path)).toString('base64')
      return `const text = ${JSON.stringify(text)}
export default () => new WebAssembly.Module(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
`
    },
  }
}
