import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSettings, parseSettings } from './params.ts'

test('settings go into parameters and come back', () => {
  const name = fc.option(fc.string({ minLength: 1 }))
  const settings = fc.record({
    file: name,
    entry: name,
    isRaw: fc.boolean(),
    as: fc.constantFrom('tree' as const, 'text' as const, 'table' as const, 'log' as const, null),
    find: fc.string(),
    at: fc.option(fc.nat()),
    filter: fc.string(),
    focusDrop: fc.boolean(),
  })
  fc.assert(
    fc.property(settings, (all) => {
      const kept = Object.entries(formatSettings(all)).filter(([, value]) => value !== '')
      expect(parseSettings(Object.fromEntries(kept))).toEqual(all)
    }),
  )
})

test('what is not understood is the default', () => {
  expect(parseSettings({ 'files.as': 'picture', 'files.at': '-5', 'files.raw': 'maybe' })).toMatchObject({
    as: null,
    at: null,
    isRaw: false,
  })
})
