import { afterEach, describe, expect, it } from 'vitest'
import { writeStored } from '../../ui/storage.ts'
import { readLastSources, sourcesToOpen } from './last-sources.ts'

afterEach(() => localStorage.clear())

describe('what a panel opens by itself', () => {
  it.each([
    ['the only database', [], ['Orders'], 'both', ['db:Orders']],
    ['nothing where there are several', [], ['Orders', 'Logs'], 'both', []],
    ['the last choice, in its order', ['server', 'db:Logs'], ['Orders', 'Logs'], 'both', ['server', 'db:Logs']],
    ['what is left of the last choice', ['db:Gone', 'db:logs'], ['Orders', 'Logs'], 'both', ['db:logs']],
    ['the only database where the last one is gone', ['db:Gone'], ['Orders'], 'both', ['db:Orders']],
    ['no server alone where only databases can be drawn', ['server'], ['Orders', 'Logs'], 'databases', []],
    ['the only database instead of the server alone', ['server'], ['Orders'], 'databases', ['db:Orders']],
  ] as const)('%s', (_, last, databases, scope, opened) => {
    expect(sourcesToOpen(last, databases, scope, null)).toEqual(opened)
  })

  it('is the database in scope before the last choice, unless it is gone', () => {
    expect(sourcesToOpen(['db:Logs'], ['Orders', 'Logs'], 'both', 'Orders')).toEqual(['db:Orders'])
    expect(sourcesToOpen(['db:Logs'], ['Orders', 'Logs'], 'both', 'Gone')).toEqual(['db:Logs'])
  })
})

describe('the stored choice', () => {
  it.each(['', '{', 'null', '{"a":1}', '[1,null,"file:a.json","nonsense"]'])('%s holds none', (text) => {
    writeStored('sources.one', text)
    expect(readLastSources('one')).toEqual([])
  })

  it('is of one server', () => {
    writeStored('sources.one', '["db:Orders"]')
    expect(readLastSources('one')).toEqual(['db:Orders'])
    expect(readLastSources('two')).toEqual([])
  })
})
