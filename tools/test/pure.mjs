// @ts-check
/** Decides which tests may share a process and its loaded modules. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../cache.mjs'

/** Code whose effects outlive the test's file, or that needs a state of its own. */
const LEAVES =
  /vi\.(?:mock|doMock|hoisted|resetModules)\b|globalThis|localStorage|indexedDB|fake-indexeddb|new Worker|setFlags|openRecording|process\.(?:chdir|emit|exit|kill|on)/

/** Code that replaces shared objects, paired with the code that restores them. */
const TAKEN_BACK = /** @type {const} */ ([
  [/vi\.spyOn/, /vi\.restoreAllMocks|\.mockRestore/],
  [/vi\.stub\w+/, /vi\.unstubAll\w+/],
  [/vi\.(?:useFakeTimers|setSystemTime)/, /vi\.useRealTimers/],
])
/** Globals that those replace. */
const TAKEN = /vi\.(?:stubGlobal\('\w+'|spyOn\(globalThis)/g

/** Code that replaces modules, also for tests that have loaded them before, or adds to a list that is kept as long as its page. */
const REPLACES = /vi\.(?:mock|doMock|hoisted|resetModules)\b|openRecording/

/** @param {string} text of a test */
const leaves = (text) =>
  LEAVES.test(text.replaceAll(TAKEN, '')) ||
  TAKEN_BACK.some(([replaces, restores]) => replaces.test(text) && !restores.test(text))

/**
 * Node tests without lasting effects. With their own threads and modules, each would take three times the CPU.
 * @returns {readonly string[]} paths from the project, with slashes
 */
export function pureTests() {
  return ['src', 'e2e/audit', 'e2e/soak'].flatMap((folder) =>
    tests(folder, '.test.ts', leaves).filter((path) => !path.endsWith('/real-server.test.ts')),
  )
}

/**
 * Tests with a document that may share loaded modules, which halves their CPU. Each file has its own document and
 * globals.
 * @returns {readonly string[]} paths from the project, with slashes
 */
export const domTests = () => tests('src', '.test.tsx', (text) => REPLACES.test(text))

/**
 * @param {string} folder
 * @param {string} ending
 * @param {(text: string) => boolean} isLeftOut by its text
 */
const tests = (folder, ending, isLeftOut) =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(ending) && !isLeftOut(readFileSync(join(PROJECT, path), 'utf8')))
