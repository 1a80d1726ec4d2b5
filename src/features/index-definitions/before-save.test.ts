import { expect, it } from 'vitest'
import { crossedBy, refusalBeforeSave } from './before-save.ts'
import { definitionText } from './definition-text.ts'

const saved = (map: string, lock = 'Unlock') => {
  const json = JSON.stringify({ Name: 'A', LockMode: lock, Maps: [map] })
  return { ...definitionText(json), json, isStale: null, reasons: [], replacement: null }
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

it('refuses where another definition is being built that was not there when it was read', () => {
  const replacement = definitionText(JSON.stringify({ Maps: ['z'] }))
  const now = { ...saved('x'), replacement }
  expect(refusalBeforeSave('A', saved('x'), now)).toContain('being built to take the place')
  // The user has seen it.
  expect(refusalBeforeSave('A', now, now)).toBeNull()
  // The replacement has ended.
  expect(refusalBeforeSave('A', now, saved('x'))).toBeNull()
})

it('finds what another client saved in the moment of a save', () => {
  const at = (time: string, map: string) => ({
    at: time,
    node: '',
    definition: definitionText(JSON.stringify({ Maps: [map] })),
  })
  const sent = definitionText(JSON.stringify({ Maps: ['mine'] }))
  const [old, other, mine, later] = [at('1', 'old'), at('2', 'other'), at('3', 'mine'), at('4', 'later')] as const
  expect(crossedBy([old], [mine, old], sent)).toBeNull()
  expect(crossedBy([old], [mine, other, old], sent)).toEqual({ past: other, wasFirst: true })
  expect(crossedBy([old], [later, mine, old], sent)).toEqual({ past: later, wasFirst: false })
  // The server keeps no entry of what changed nothing.
  expect(crossedBy([old], [old], sent)).toBeNull()
})
