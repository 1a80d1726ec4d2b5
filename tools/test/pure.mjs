// @ts-check
/** Which tests may share a process and its loaded modules. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../cache.mjs'

/** Code with effects that outlive a test's file, or that needs a state of its own. */
const LEAVES =
  /vi\.(?:mock|doMock|hoisted|spyOn|stub\w+|useFakeTimers|setSystemTime|resetModules)|globalThis|localStorage|indexedDB|Worker|setFlags|process\./

/** Replaces modules, for whoever has loaded them before as well. */
const REPLACES = /vi\.(?:mock|doMock|hoisted|resetModules)/

/**
 * Tests in Node that leave nothing behind: with threads and modules of their own each would take three times the CPU.
 * @returns {readonly string[]} paths from the project, with slashes
 */
export function pureTests() {
  return ['src', 'e2e/audit', 'e2e/soak'].flatMap((folder) =>
    tests(folder, '.test.ts', LEAVES).filter((path) => !path.endsWith('/real-server.test.ts')),
  )
}

/**
 * Tests with a document that may share loaded modules, and so half their CPU: each file has a document, and globals, of its own.
 * @returns {readonly string[]} paths from the project, with slashes
 */
export const domTests = () => tests('src', '.test.tsx', REPLACES)

/**
 * @param {string} folder
 * @param {string} ending
 * @param {RegExp} not of those that are left out
 */
const tests = (folder, ending, not) =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(ending) && !not.test(readFileSync(join(PROJECT, path), 'utf8')))
