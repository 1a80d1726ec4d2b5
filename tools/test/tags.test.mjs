// @ts-check
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../cache.mjs'

/** Tags that `e2e/playwright.config.ts` knows. */
const TAGS = ['@each-version', '@full', '@soak']

test('a title has one of the tags that choose where a test runs, or none', () => {
  const specs = ['page', 'real'].flatMap((folder) =>
    readdirSync(join(PROJECT, 'e2e', folder)).map((name) => join(PROJECT, 'e2e', folder, name)),
  )
  const titles = specs.flatMap(
    (path) => readFileSync(path, 'utf8').match(/^\s*(?:test(?:\.describe)?\()?'[^'\n]* @[^'\n]*'/gm) ?? [],
  )
  const tagged = titles.map((title) => title.match(/ @[a-z-]+/g)?.map((tag) => tag.trim()) ?? [])
  expect(tagged.filter((tags) => tags.length !== 1 || !TAGS.includes(tags[0] ?? ''))).toEqual([])
  expect(new Set(tagged.flat())).toEqual(new Set(TAGS))
})
