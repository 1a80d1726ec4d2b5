import { describe, expect, it } from 'vitest'
import { databaseInScope, partsInScope, scopeAfter } from './database-scope.ts'

describe('the database in scope', () => {
  it.each([
    ['the chosen one', 'A', ['db:B', 'db:C'], 'A'],
    ['else the first that is watched', null, ['server', 'db:B', 'db:C'], 'B'],
    ['else none', null, ['server', 'file:a.json'], null],
  ])('is %s', (_which, database, sources, name) => {
    expect(databaseInScope({ database, sources })).toBe(name)
  })

  it.each([
    ['is kept beside the sources where no database is watched', ['server'], { database: 'A' }],
    ['is kept beside several databases, which stay watched', ['db:B', 'db:C'], { database: 'A' }],
    [
      'is watched in place of a single other one',
      ['server', 'db:B'],
      { sources: ['server', 'db:A'], database: null, selection: null },
    ],
    ['changes nothing where it is watched already, in any case', ['db:a'], { database: null }],
  ])('%s', (_case, sources, parts) => {
    expect(partsInScope({ sources }, 'A')).toEqual(parts)
  })

  it('follows from sources with exactly one database', () => {
    expect(scopeAfter(['db:B', 'server'], 'A')).toBeNull()
    expect(scopeAfter(['db:B', 'db:C'], 'A')).toBe('A')
    expect(scopeAfter([], 'A')).toBe('A')
  })
})
