// @ts-check
import { expect, test } from 'vitest'
import { testsReaching } from './imports.mjs'

const TEXTS = new Map([
  ['src/base/sum.ts', "import data from './data.json'"],
  ['src/features/io/panel.ts', "import { sum } from '../../base/sum.ts'\nload: () => import('./view/IoPanel.tsx'),"],
  ['src/features/io/view/IoPanel.tsx', "import type { Query } from '../../query/contract.ts'"],
  ['src/features/io/view/IoPanel.test.tsx', "import {\n  ioPanel,\n} from '../panel.ts'"],
  ['src/features/query/view/query.test.ts', "import { ioPanel } from '../../io/panel.ts'"],
  ['src/app/App.test.tsx', "import { ioPanel } from '../features/io/panel.ts'"],
  ['src/features/query/contract.ts', ''],
  ['src/capture/raw.test.ts', "readdirSync(join(import.meta.dirname, '../testing/recorded'))"],
  ['tools/serve.test.mjs', "spawn(new URL('./serve.mjs', import.meta.url))"],
  ['tools/serve.mjs', ''],
  ['vite.config.ts', "import { assembly } from './tools/assembly.mjs'"],
])
const reaching = (/** @type {string[]} */ ...changed) => testsReaching(changed, TEXTS)

test('a view is reached by the tests of its feature and of the app, not by those that know its panel', () => {
  expect(reaching('src/features/io/view/IoPanel.tsx')).toEqual([
    'src/features/io/view/IoPanel.test.tsx',
    'src/app/App.test.tsx',
  ])
})

test('what others import is reached by all of them, through imports of data, and not by types', () => {
  expect(reaching('src/base/data.json')).toEqual([
    'src/features/io/view/IoPanel.test.tsx',
    'src/features/query/view/query.test.ts',
    'src/app/App.test.tsx',
  ])
  expect(reaching('src/features/query/contract.ts')).toEqual([])
})

test('programs that a test starts and folders that it reads count, and so does the test itself', () => {
  expect(reaching('tools/serve.mjs')).toEqual(['tools/serve.test.mjs'])
  expect(reaching('src/testing/recorded/7.1/io.json', 'docs/io.md')).toEqual(['src/capture/raw.test.ts'])
  expect(reaching('src/capture/raw.test.ts')).toEqual(['src/capture/raw.test.ts'])
})

test('what decides how tests run reaches all', () => {
  expect(reaching('package-lock.json')).toBeNull()
  expect(reaching('tools/assembly.mjs')).toBeNull()
})
