// @ts-check
/**
 * Imports that end in `.ts?wasm` are AssemblyScript: a module whose default export is a function that returns the
 * compiled `WebAssembly.Module`. Its bytes are part of the script, since the server serves no file of type `.wasm`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT } from './cache.mjs'
import { run } from './children.mjs'

const ASKED = /\.ts\?wasm$/
/** A process of its own: the compiler's types redefine those of JavaScript. */
const COMPILER = join(PROJECT, 'node_modules', 'assemblyscript', 'bin', 'asc.js')
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd']
const COMPILE_MS = 120_000

/**
 * @param {string} path of an AssemblyScript file
 * @returns {Promise<Buffer>}
 * @throws {Error} with the compiler's messages
 */
export async function compileAssembly(path) {
  const scratch = await mkdtemp(join(tmpdir(), 'rookery-assembly-'))
  const out = join(scratch, 'out.wasm')
  try {
    const args = [COMPILER, path, '--baseDir', PROJECT, '--outFile', out, ...OPTIONS]
    const { code, errors, output } = await run(process.execPath, args, { cwd: PROJECT, timeout: COMPILE_MS })
    if (code !== 0) throw new Error(`${path} does not compile:\n${errors}${output}`)
    return await readFile(out)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** @returns {import('vite').Plugin} */
export function assembly() {
  return {
    name: 'rookery-assembly',
    enforce: 'pre',
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
