import { RIGHTS } from '../ravendb/errors/error-texts.ts'
import { offers, type ServerVersion, type Since } from '../ravendb/versions.ts'
import { rightOf, type Action, type ActionTarget } from './model.ts'

/** Rights of this user, as the server reports them. */
export interface Access {
  readonly version: ServerVersion
  /** Id of the server; null: it reports none. */
  readonly serverId: string | null
  /** Certificate of the user; null: the server is not secured, or it is not known, and nothing is refused. */
  readonly certificate: {
    /** `ValidUser`, `Operator`, `ClusterAdmin`, `ClusterNode`. */
    readonly clearance: string
    /** By database, in lower case: `Read`, `ReadWrite`, `Admin`. */
    readonly permissions: Readonly<Record<string, string>>
  } | null
  /** Flags of `/license/status`; null: not known. */
  readonly licence: Readonly<Record<string, boolean>> | null
}

const PERMISSIONS = ['Read', 'ReadWrite', 'Admin']
const CLEARANCES = ['ValidUser', 'Operator', 'ClusterAdmin', 'ClusterNode']

/** Whether the server shows this user a database; null: not known. */
export function maySee(database: string, { certificate }: Access): boolean | null {
  if (certificate === null) return null
  const { clearance, permissions } = certificate
  return isOperator(clearance) || Object.hasOwn(permissions, database.toLowerCase())
}

const isOperator = (clearance: string): boolean => CLEARANCES.indexOf(clearance) >= 1

/** Why this version of the server does not offer something, in one sentence; null: it does. */
export const ageRefusal = (version: ServerVersion, since: Since): string | null =>
  offers(version, since) ? null : `This server is older than ${since.join('.')}, the first version that offers it.`

/** Why the user may not do it, in one sentence with the required right; null: nothing known forbids it. */
export function refusalOf(action: Action, target: ActionTarget, access: Access): string | null {
  const { since, licence } = action
  const { database } = target
  const right = rightOf(action, target)
  const age = since === undefined ? null : ageRefusal(access.version, since)
  if (age !== null) return age
  if (licence !== undefined && access.licence?.[licence] === false)
    return 'The licence of this server does not include it.'
  if (access.certificate === null) return null
  const { clearance, permissions } = access.certificate
  const needs = `Needs ${RIGHTS[right]}.`
  switch (right) {
    case 'none':
    case 'ValidUser':
      return null
    case 'Operator':
      return isOperator(clearance) ? null : needs
    case 'ClusterAdmin':
      return CLEARANCES.indexOf(clearance) >= 2 ? null : needs
    default: {
      if (isOperator(clearance)) return null
      const least = right === 'DatabaseAdmin' ? 2 : right === 'DatabaseWrite' ? 1 : 0
      return PERMISSIONS.indexOf(permissions[database?.toLowerCase() ?? ''] ?? '') >= least ? null : needs
    }
  }
}
