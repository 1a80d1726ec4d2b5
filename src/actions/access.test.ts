import { describe, expect, it } from 'vitest'
import { parseVersion } from '../ravendb/versions.ts'
import { maySee, refusalOf, type Access } from './access.ts'
import { ACTIONS } from './table.ts'

/* A certificate that may only read needs a licence, so no test on a real server has one; `e2e/real/roles.spec.ts` has the others. */

const access = (clearance: string, permissions: Record<string, string> = {}, version = '7.1.5'): Access => ({
  version: parseVersion({ FullVersion: version }),
  serverId: null,
  certificate: { clearance, permissions },
  licence: null,
})
const allowedTo = (user: Access): string[] =>
  ACTIONS.filter(
    ({ target: kind, ...action }) =>
      refusalOf(
        { target: kind, ...action },
        { kind, database: kind === 'server' ? null : 'Shop', name: null },
        user,
      ) === null,
  ).map(({ id }) => id)

describe('what a certificate may do', () => {
  it('that may only read a database is to export it, and to have the index made that its query needs', () =>
    expect(allowedTo(access('ValidUser', { shop: 'Read' }))).toEqual(['database.export', 'database.create-auto-index']))

  it('without a grant is nothing, whatever it may do elsewhere', () =>
    expect(allowedTo(access('ValidUser', { other: 'Admin' }))).toEqual([]))

  it('of an operator is all but what its version lacks', () => {
    expect(allowedTo(access('Operator'))).toEqual(ACTIONS.map(({ id }) => id))
    const older = allowedTo(access('ClusterAdmin', {}, '5.4.207'))
    expect(ACTIONS.map(({ id }) => id).filter((id) => !older.includes(id))).toEqual(
      ACTIONS.filter(({ since }) => since !== undefined).map(({ id }) => id),
    )
  })

  it('is known of a database it may see, and not of one that nothing is known of', () => {
    expect(maySee('Shop', access('ValidUser', { shop: 'Read' }))).toBe(true)
    expect(maySee('constructor', access('ValidUser', { shop: 'Admin' }))).toBe(false)
    expect(maySee('Shop', access('Operator'))).toBe(true)
    expect(maySee('Shop', { ...access('ValidUser'), certificate: null })).toBeNull()
  })

  it('says the right that is missing', () => {
    const disable = ACTIONS.find(({ id }) => id === 'database.disable')!
    const target = { kind: 'database', database: 'Shop', name: null } as const
    expect(refusalOf(disable, target, access('ValidUser', { shop: 'Admin' }))).toBe(
      'Needs the clearance Operator or ClusterAdmin.',
    )
  })
})
