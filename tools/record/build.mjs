// @ts-check
/** Builds the recorder for Node. The recorder consists of the studio's own feeds and governor. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { assembly } from '../assembly.mjs'
import { changedAt } from '../build.mjs'
import { PROJECT, SCRATCH } from '../cache.mjs'
import { createSay } from '../say.mjs'

const ENTRY = 'src/recorder/main.ts'
const OUT = join(SCRATCH, 'recorder')
const SOURCES = ['src', 'package-lock.json', 'tools/assembly.mjs', 'tools/record/build.mjs']

/**
 * Loads the recorder. Builds it first if its sources are newer than the last build.
 * @param {import('../say.mjs').Say} say
 * @returns {Promise<typeof import('../../src/recorder/main.ts')>}
 */
export async function loadRecorder(say) {
  const main = join(OUT, 'main.mjs')
  const builtAt = changedAt(main)
  if (builtAt === 0 || SOURCES.some((source) => changedAt(join(PROJECT, source)) > builtAt)) {
    say.step('Building the recorder')
    await build({
      root: PROJECT,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [assembly()],
      ssr: { noExternal: true },
      build: {
        ssr: ENTRY,
        outDir: OUT,
        emptyOutDir: true,
        target: 'node20',
        rolldownOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' } },
      },
    })
    say.done('the recorder is built')
  }
  return import(pathToFileURL(main).href)
}

// By itself, as for an image, it only builds.
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await loadRecorder(createSay())
  process.exit(0)
}
