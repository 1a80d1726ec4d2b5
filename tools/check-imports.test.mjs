// @ts-check
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROJECT } from './cache.mjs'
import { doubtful, namesIn, resolved } from './check-imports.mjs'

const { forbidden } = createRequire(import.meta.url)(join(PROJECT, '.dependency-cruiser.cjs'))

/** @param {...(readonly [from: string, to: string, typesOnly?: boolean])} pairs */
const broken = (...pairs) =>
  doubtful(
    pairs.map(([from, to, typesOnly = false]) => ({ from, to, typesOnly })),
    forbidden,
  ).map((text) => text.replace(/: .*/, ''))

describe('what a file imports', () => {
  test('imports, exports, calls and types in a line are found, after text that is longer in UTF-8', () => {
    const text = [
      "const quoted = '→“”🦊'",
      "import type { A } from './a.ts'",
      "import { type B, c } from './b.ts'",
      "export type { D } from './d.ts'",
      "export * from './e.ts'",
      "import './f.css'",
      "const g = () => import('./g.ts')",
      "type H = import('./h.ts').H",
    ].join('\n')
    const found = new Map(namesIn('x.ts', text).map(({ name, typesOnly }) => [name, typesOnly]))
    expect(Object.fromEntries(found)).toEqual({
      './a.ts': true,
      './b.ts': false,
      './d.ts': true,
      './e.ts': false,
      './f.css': false,
      './g.ts': false,
      './h.ts': false,
    })
  })

  test('a comment of JavaScript imports nothing, and `require` does', () => {
    const text = "/** @type {import('./types.ts').T} */\nconst t = require('./t.cjs')\nawait import('./u.mjs')"
    expect(namesIn('x.mjs', text).map(({ name }) => name)).toEqual(['./u.mjs', './t.cjs'])
  })

  test('a name is a path of the project, of a package, or what it was', () => {
    const exists = (/** @type {string} */ path) => path === 'src/base/a.ts' || path === 'src/ui/jsx/jsx-runtime.ts'
    const own = { '#jsx/jsx-runtime': './src/ui/jsx/jsx-runtime.ts' }
    expect(
      ['../base/a.ts', '../base/a', '../base/a.ts?url', 'react/jsx', 'node:fs', './none.ts', '#jsx/jsx-runtime'].map(
        (name) => resolved('src/ui/b.ts', name, exists, own),
      ),
    ).toEqual([
      'src/base/a.ts',
      'src/base/a.ts',
      'src/base/a.ts',
      'node_modules/react/jsx',
      'node:fs',
      './none.ts',
      'src/ui/jsx/jsx-runtime.ts',
    ])
  })
})

describe('the rules', () => {
  test.each([
    ['base-imports-nothing', 'src/base/a.ts', 'node_modules/react'],
    ['ravendb-only-base', 'src/ravendb/a.ts', 'src/ui/b.ts'],
    ['ravendb-one-way-2', 'src/ravendb/errors/a.ts', 'src/ravendb/http/b.ts'],
    ['capture-below-actions', 'src/capture/a.ts', 'src/actions/b.ts'],
    ['actions-without-view', 'src/actions/a.ts', 'src/actions/view/b.tsx'],
    ['feeds-apart', 'src/feeds/io/a.ts', 'src/feeds/server/data/b.ts'],
    ['features-apart', 'src/features/io/a.ts', 'src/features/stalls/view/b.ts'],
    ['data-without-view', 'src/features/io/data/a.ts', 'src/features/io/view/b.ts'],
    ['tools-apart', 'tools/a.mjs', 'src/ui/b.ts'],
    ['src-without-tools', 'src/app/a.ts', 'tools/b.mjs'],
    ['testing-only-in-tests', 'src/app/a.ts', 'src/testing/b.ts'],
  ])('%s: %s must not import %s', (name, from, to) => {
    expect(broken([from, to, true])).toContain(name)
  })

  test('types of a contract are free, its values and those of its own feature are not and are', () => {
    expect(broken(['src/features/io/a.ts', 'src/feeds/server/contract.ts', true])).toEqual([])
    expect(broken(['src/features/io/a.ts', 'src/feeds/server/contract.ts'])).toEqual(['contracts-as-types'])
    expect(broken(['src/features/io/a.ts', 'src/features/io/data/b.ts'])).toEqual([])
    expect(broken(['src/app/a.test.ts', 'src/testing/b.ts'], ['tools/a.mjs', 'src/base/b.ts'])).toEqual([])
  })

  test('a circle is found, of types as well, and not what leads to it or away', () => {
    expect(broken(['a.ts', 'b.ts'], ['b.ts', 'c.ts'], ['c.ts', 'b.ts', true], ['c.ts', 'd.ts'])).not.toEqual([])
    expect(broken(['a.ts', 'b.ts'], ['a.ts', 'c.ts'], ['b.ts', 'c.ts'])).toEqual([])
  })
})
