import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { assembly } from './tools/assembly.mjs'
import { duckDb } from './tools/duckdb.mjs'
import { studioZip } from './tools/pack.mjs'
import { POLICY } from './tools/policy.mjs'
import { accepted } from './tools/test/flags.mjs'
import { domTests, pureTests } from './tools/test/pure.mjs'

/** The server that `npm run dev` forwards to; the default is the port of `npm start`. */
const raven = process.env['RAVEN_URL'] ?? 'http://127.0.0.1:8085'

/**
 * Puts the policy into the built page (the dev server needs inline script) and removes `crossorigin`:
 * with it Chromium sends an Origin on same-origin scripts, which the server refuses behind a proxy that changes Host.
 */
function securePage(): Plugin {
  return {
    name: 'rookery-secure-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replaceAll(' crossorigin', '')
          .replace(
            '<meta charset="utf-8" />',
            `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`,
          ),
    },
  }
}

/** All but the entries of workers, each of which is a chunk of its own: see `capture.worker.ts`. */
const NO_WORKER = /^(?!.*[\\/](?:capture|ask)\.worker\.ts)/

/**
 * Folders of which what lazy scripts share is one script each, lowest first. Imports go one way between them (`npm run
 * deps`), so that these scripts cannot import each other in a circle, of which one would run before what it needs is there;
 * `tools/check-build.mjs` refuses circles.
 */
const LAYERS = ['node_modules/d3', 'src/base', 'src/ui', 'src/charts', 'src/ravendb', 'src/capture', 'src/actions']
const inFolder = (folder: string): RegExp => new RegExp(`/${folder}`.replaceAll('/', String.raw`[\\/]`))

/** Parts of a feature and of its feed, which others do not import: they know the contract alone. */
const OF_FEATURE = /[\\/]src[\\/](?:features|feeds)[\\/]([^\\/]+)[\\/](?!contract[.\\/])/

/**
 * Parts that start the page are one file. Those that three lazy scripts share, or two of a feature, are one file a folder:
 * 170 scripts. With one for each set of users there were 270: first pictures took as long at once, and a fifth longer where
 * each response takes 20 ms (`npm run bench:loading`). With one for all that is shared, a panel would load 300 KiB.
 */
const output = {
  chunkFileNames: 'assets/[name]-[hash].js',
  codeSplitting: {
    groups: [
      { name: 'start', tags: ['$initial' as const], test: NO_WORKER, priority: 100 },
      ...LAYERS.map((folder, i) => ({
        name: `shared-${folder.slice(folder.lastIndexOf('/') + 1)}`,
        test: inFolder(folder),
        minShareCount: 3,
        priority: 90 - i,
      })),
      {
        name: (id: string) => {
          const [, feature] = OF_FEATURE.exec(id) ?? []
          return feature === undefined ? null : `shared-${feature}`
        },
        minShareCount: 2,
        priority: 1,
      },
    ],
  },
}

/** Files that decide how modules are found and transformed, beside what this one imports. */
const RULES = ['package.json', ...['', '.base', '.app', '.node', '.worker'].map((part) => `tsconfig${part}.json`)]

/** Has Vitest keep what it transforms by those as well: by itself it takes what was made before they changed. */
function keepByRules(): Plugin {
  return {
    name: 'rookery-keep-by-rules',
    apply: () => process.env['VITEST'] !== undefined,
    configResolved: ({ configFileDependencies }) => {
      configFileDependencies.push(...RULES.map((name) => join(import.meta.dirname, name)))
    },
  }
}

/** Tests against real servers: run on the versions that ROOKERY_TEST_SERVER names, separated by commas. */
const REAL_SERVER = '{src,tools}/**/real-server.test.{ts,mjs}'
const versions = (process.env['ROOKERY_TEST_SERVER'] ?? '').split(',').filter((version) => version !== '')

const [pure, dom] = process.env['VITEST'] ? [[...pureTests()], [...domTests()]] : [[], []]
const withDocument = { environment: 'happy-dom' as const, setupFiles: ['src/testing/dom-setup.ts'] }
/** Most code of a test runs too briefly to repay what optimizing it costs: compiled plainly at once, it took an eighth less CPU. */
const SHORT_LIVED = process.env['VITEST'] ? accepted(['--always-sparkplug', '--interrupt-budget=270000']) : []
/** Half of what is made for a document lives longer than Node’s 16 MiB for what is new: moving it took a seventh of the CPU. */
const roomy = { pool: 'forks' as const, execArgv: ['--max-semi-space-size=64', ...SHORT_LIVED] }
/** Files of a project share processes and loaded modules. */
const shared = { ...roomy, isolate: false }

export default defineConfig(({ command }) => ({
  base: command === 'build' || process.env['VITEST'] ? './' : '/studio/',
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: process.env['VITEST'] ? {} : { '^/(?!studio(?:/|$))': { target: raven, ws: true } },
  },
  plugins: [
    assembly(),
    duckDb(),
    react({ compiler: true, jsxImportSource: '#jsx' }),
    securePage(),
    studioZip(),
    keepByRules(),
  ],
  worker: { format: 'es' as const, plugins: () => [assembly(), duckDb()], rolldownOptions: { output } },
  build: {
    target: 'es2023',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output },
  },
  test: {
    // The machine is small and may be busy: slowness is measured in bench/, never by a test.
    // Unit tests run beside the others, with the CPU that these leave.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // By itself a second: beside servers some would wait in vain.
    expect: { poll: { timeout: 20_000 } },
    // Each project adds its own.
    setupFiles: ['src/testing/imports-setup.ts'],
    globalSetup: ['tools/test/temporary-setup.mjs'],
    // By itself it leaves a core free, which is half of two.
    maxWorkers: '100%',
    // Each project transforms for itself: what one has done the others, and those of the versions, take from there.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    projects: [
      {
        extends: true as const,
        test: {
          name: 'unit',
          environment: 'node',
          pool: 'forks' as const,
          execArgv: SHORT_LIVED,
          include: ['src/**/*.test.ts', 'e2e/{audit,soak}/*.test.ts'],
          exclude: [REAL_SERVER, ...pure],
        },
      },
      {
        extends: true as const,
        test: { name: 'pure', environment: 'node', include: pure, ...shared },
      },
      { extends: true as const, test: { name: 'dom', include: dom, ...withDocument, ...shared } },
      {
        extends: true as const,
        test: { name: 'dom-alone', include: ['src/**/*.test.tsx'], exclude: dom, ...withDocument, ...roomy },
      },
      {
        extends: true as const,
        test: {
          name: 'tools',
          environment: 'node',
          include: ['tools/**/*.test.mjs'],
          exclude: [REAL_SERVER],
          ...shared,
        },
      },
      ...versions.map((version) => ({
        extends: true as const,
        test: {
          name: version,
          environment: 'node' as const,
          include: [REAL_SERVER],
          globalSetup: ['src/testing/server/version-server.ts'],
          env: { ROOKERY_TEST_SERVER: version },
          // Tests wait most of their time, but each process loads all modules again. A number on the command line does not
          // reach a project.
          maxWorkers: 3,
          ...shared,
          sequence: { groupOrder: 1 },
        },
      })),
    ],
  },
}))
