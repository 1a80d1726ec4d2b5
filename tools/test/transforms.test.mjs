// @ts-check
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeOldTransforms } from './transforms.mjs'

const DAY_S = 86_400

test('transforms go when they are older than a week; newer ones and folders stay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'transforms-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const nowMs = Date.now()
  for (const [name, days] of /** @type {const} */ ([
    ['old', 8],
    ['new', 6],
  ])) {
    writeFileSync(join(folder, name), name)
    utimesSync(join(folder, name), nowMs / 1000, nowMs / 1000 - days * DAY_S)
  }
  mkdirSync(join(folder, 'sub'))
  utimesSync(join(folder, 'sub'), nowMs / 1000, nowMs / 1000 - 8 * DAY_S)
  expect(removeOldTransforms(folder, nowMs)).toBe(1)
  expect(readdirSync(folder).toSorted()).toEqual(['new', 'sub'])
  expect(removeOldTransforms(join(folder, 'missing'))).toBe(0)
})
