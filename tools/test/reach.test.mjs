// @ts-check
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../cache.mjs'
import { REACH, specsOf } from './reach.mjs'

test('a change in a feature reaches its own end-to-end tests, and a spec itself', () => {
  expect(specsOf(['src/features/compare/view/ComparePanel.tsx', 'e2e/real/io.spec.ts', 'docs/panels.md'])).toEqual({
    page: ['page/compare'],
    real: ['real/io.spec'],
  })
  expect(specsOf(['src/features/compare/data/verify.test.ts'])).toEqual({ page: [], real: [] })
  expect(specsOf(['src/base/ticks.ts']).real).toEqual(['real/flow'])
})

test('each feature has tests, and each of them exists', () => {
  const rooms = ['features', 'feeds'].flatMap((of) =>
    readdirSync(join(PROJECT, 'src', of)).map((name) => `src/${of}/${name}/`),
  )
  expect(rooms.filter((room) => !REACH.some(([folder]) => folder === room))).toEqual([])
  const specs = ['page', 'real'].flatMap((folder) =>
    readdirSync(join(PROJECT, 'e2e', folder)).map((name) => `${folder}/${name}`),
  )
  const named = REACH.flatMap(([, names]) => names)
  expect(named.filter((name) => !specs.some((spec) => spec.startsWith(name)))).toEqual([])
})
