import { expect, it } from 'vitest'
import { fileNameOf } from './file-name-of.ts'

it.each([
  ['plan.png', 'plan.png'],
  ['a/b/plan.png', 'plan.png'],
  ['plans/', 'plans'],
  ['../..', 'attachment'],
  ['', 'attachment'],
])('an attachment %j is saved as %j', (name, file) => {
  expect(fileNameOf(name)).toBe(file)
})
