import { expect, it } from 'vitest'
import { refusalBeforeSave } from './before-save.ts'
import { definitionText } from './definition-text.ts'

const saved = (map: string, lock = 'Unlock') => {
  const json = JSON.stringify({ Name: 'A', LockMode: lock, Maps: [map] })
  return { ...definitionText(json), json, isStale: null, reasons: [] }
}

it.each([
  ['a new index of a free name', null, null, null],
  ['a new index of a name that is taken', null, saved('x'), 'There is an index “A” already'],
  ['a change of the definition that was read', saved('x'), saved('x'), null],
  ['a change of another definition than was read', saved('x'), saved('y'), 'another definition than when it was read'],
  ['a change that the server would ignore', saved('x', 'LockedIgnore'), saved('x', 'LockedIgnore'), 'LockedIgnore'],
  ['a change of an index that is gone', saved('x'), null, 'was deleted'],
])('%s', (_, read, now, words) => {
  const refusal = refusalBeforeSave('A', read, now)
  if (words === null) expect(refusal).toBeNull()
  else expect(refusal).toContain(words)
})
