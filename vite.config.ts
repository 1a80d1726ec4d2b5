import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { assembly } from './tools/assembly.mjs'
import { studioZip } from './tools/pack.mjs'
import { POLICY } from './tools/policy.mjs'
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

/** A chunk of parts that several share has a name made of theirs, which says little and is long. */
const fileName = (name: string, ending: string): string =>
  `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash]${ending}`

/** All but the entry of the worker, which is a chunk of its own: see there. */
const NO_WORKER = /^(?!.*[\\/]capture\.worker\.ts)/

/**
 * Parts that start the page are one file. What lazy parts share is shared out by who needs it, and never merged with a neighbour:
 * merged ones can import each other in circles, of which one runs before what it needs is there. `tools/check-build.mjs`
 * refuses circles.
 */
const output = {
  chunkFileNames: ({ name }: { readonly name: string }) => fileName(name, '.js'),
  assetFileNames: ({ names: [name = ''] }: { readonly names: readonly string[] }) => fileName(name, '[extname]'),
  codeSplitting: {
    groups: [
      { name: 'start', tags: ['$initial' as const], test: NO_WORKER, priority: 1 },
      { name: 'shared', minShareCount: 2, entriesAware: true },
    ],
  },
}

/** Tests against real servers: run on the versions that ROOKERY_TEST_SERVER names, separated by commas. */
const REAL_SERVER = '{src,tools}/**/real-server.test.{ts,mjs}'
const versions = (process.env['ROOKERY_TEST_SERVER'] ?? '').split(',').filter((version) => version !== '')

const [pure, dom] = process.env['VITEST'] ? [[...pureTests()], [...domTests()]] : [[], []]
const withDocument = { environment: 'happy-dom' as const, setupFiles: ['src/testing/dom-setup.ts'] }
/** Files of a project share processes and loaded modules. */
const shared = { pool: 'forks' as const, isolate: false }

export default defineConfig(({ command }) => ({
  base: command === 'build' || process.env['VITEST'] ? './' : '/studio/',
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: process.env['VITEST'] ? {} : { '^/(?!studio(?:/|$))': { target: raven, ws: true } },
  },
  plugins: [assembly(), react({ compiler: true, jsxImportSource: '#jsx' }), securePage(), studioZip()],
  worker: { format: 'es' as const, plugins: () => [assembly()], rolldownOptions: { output } },
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
    // By itself it leaves a core free, which is half of two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true as const,
        test: {
          name: 'unit',
          environment: 'node',
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
        test: { name: 'dom-alone', include: ['src/**/*.test.tsx'], exclude: dom, ...withDocument },
      },
      {
        extends: true as const,
        test: { name: 'tools', environment: 'node', include: ['tools/**/*.test.mjs'], exclude: [REAL_SERVER] },
      },
      ...versions.map((version) => ({
        extends: true as const,
        test: {
          name: version,
          environment: 'node' as const,
          include: [REAL_SERVER],
          globalSetup: ['src/testing/server/version-server.ts'],
          env: { ROOKERY_TEST_SERVER: version },
          // Tests wait most of their time. A number on the command line does not reach a project.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      })),
    ],
  },
}))
