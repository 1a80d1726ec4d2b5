// @ts-check
/**
 * Vite plugin for `@duckdb/duckdb-wasm/blocking`, of which the package names no file for browsers, and for the import
 * `rookery:duckdb`: the address of DuckDB's WebAssembly, gzipped and named as a font, since
 * RavenDB serves no `.wasm` and compresses nothing. 34 MB become 8.0 MB.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'fflate'
import { PROJECT } from './cache.mjs'

const NAME = 'rookery:duckdb'
const PACKAGE = join(PROJECT, 'node_modules', '@duckdb', 'duckdb-wasm')
const KEPT = join(PROJECT, 'node_modules', '.cache', 'rookery-duckdb')

/**
 * @returns {Promise<string>} path of the packed file, the same bytes on every machine
 */
export async function packedDuckDb() {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const bytes = await readFile(join(PACKAGE, 'dist', 'duckdb-eh.wasm'))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const path = join(KEPT, `duckdb-${version}-${hash}.woff2`)
  if (await stat(path).catch(() => null)) return path
  // fflate writes the same bytes whatever the version of Node is.
  const packed = gzipSync(bytes, { level: 9, mtime: 0 })
  await mkdir(KEPT, { recursive: true })
  const scratch = `${path}.${process.pid}`
  await writeFile(scratch, packed)
  await rename(scratch, path)
  return path
}

/** @returns {import('vite').Plugin} */
export function duckDb() {
  return {
    name: 'rookery-duckdb',
    enforce: 'pre',
    resolveId: (id) =>
      id === NAME
        ? `\0${NAME}`
        : id === '@duckdb/duckdb-wasm/blocking'
          ? join(PACKAGE, 'dist', 'duckdb-browser-blocking.mjs')
          : null,
    async load(id) {
      if (id !== `\0${NAME}`) return null
      return `export { default } from ${JSON.stringify(`${await packedDuckDb()}?url`)}`
    },
  }
}
