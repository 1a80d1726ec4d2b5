import { describe, expect, it } from 'vitest'
import { paramsOfPanel, toLinkParams, type LinkParams } from './panels.ts'

describe('parameters of panels', () => {
  it('carry the id of their panel in a link, and are read by their names alone', () => {
    const link = toLinkParams('io', { find: 'Orders', fold: 'off', page: '' })
    expect(link).toEqual({ 'io.find': 'Orders', 'io.fold': 'off', 'io.page': '' })
    expect(paramsOfPanel('io', { ...link, 'server.view': 'alerts' })).toEqual({
      find: 'Orders',
      fold: 'off',
      page: '',
    })
    expect(paramsOfPanel('server', { 'server.view': 'any text of a URL' })).toEqual({ view: 'any text of a URL' })
  })

  it('of another feature do not compile by a name or a value that it does not have', () => {
    const links: readonly LinkParams[] = [
      { 'indexing.focus': 'db:Orders|Orders/Totals', 'server.view': 'overhead', 'databases.sort': 'writes-' },
      // @ts-expect-error no such panel
      { 'indexes.focus': '' },
      // @ts-expect-error no such parameter
      { 'indexing.chosen': '' },
      // @ts-expect-error no such view
      { 'server.view': 'triage' },
      // @ts-expect-error no such column
      { 'databases.sort': 'bytes-' },
      // @ts-expect-error a list is made by `formatList`
      { 'indexing.open': 'db:Orders|Orders/Totals' },
    ]
    expect(links).toHaveLength(6)
  })
})
