// @ts-check
/** Unit tests that change what all tests of a process share. The others need no process of their own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './cache.mjs'

const CHANGES =
  /vi\.(?:stubGlobal|stubEnv|useFakeTimers|mock|doMock|resetModules|spyOn)\(|globalThis\.\w+ = |@isolated\b/

/**
 * @param {readonly string[]} folders of the project, with all below them
 * @returns {string[]} paths from the project's folder, of those that change globals, modules or prototypes, or say `@isolated`
 */
export function isolatedTests(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => CHANGES.test(readFileSync(join(PROJECT, path), 'utf8'))),
  )
}
