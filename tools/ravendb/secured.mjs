// @ts-check
/** Starts a secured RavenDB server with newly created certificates, for tests and measurements. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthority } from '../certificates/certificates.mjs'
import { temporaryFolder } from '../temporary.mjs'
import { createDatabase, json } from './client.mjs'
import { startRavenDb } from './run.mjs'

/**
 * @typedef {import('../certificates/certificates.mjs').Signed} Signed
 *
 * @typedef {'ClusterAdmin' | 'Operator' | Readonly<Record<string, 'Admin' | 'ReadWrite'>>} Clearance what a certificate
 *   may do, in the server's words; of databases by name
 *
 * @typedef {object} SecuredRavenDb
 * @property {string} url
 * @property {string} ca PEM of the authority that signed the server's certificate
 * @property {Signed} admin the cluster administrator whom the server's settings name
 * @property {(name: string, clearance: Clearance, secret?: string) => Promise<Signed>} register a new certificate that
 *   the server knows; `secret` (base32) has it want a second factor
 * @property {(name: string, notAfter?: Date) => Signed} issue a new certificate that the server does not know
 * @property {(method: string, path: string, body?: unknown) => Promise<any>} call as the administrator
 * @property {() => Promise<void>} close ends it and removes its data and keys
 */

/**
 * @param {{ version: string, databases: readonly string[], studioPath?: string, port?: number, settings?: Record<string, string>, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<SecuredRavenDb>}
 */
export async function startSecuredRavenDb({ databases, ...options }) {
  const authority = createAuthority('Rookery test authority')
  const server = authority.issue('localhost', { usage: 'server', hosts: ['localhost', '127.0.0.1'] })
  /** @type {SecuredRavenDb['issue']} */
  const issue = (name, notAfter) => authority.issue(name, { usage: 'client', ...(notAfter ? { notAfter } : {}) })
  const admin = issue('admin')
  const identity = { ca: authority.cert, cert: admin.cert, key: admin.key }
  const dataDir = temporaryFolder('secured')
  const pfx = join(dataDir, 'server.pfx')
  await writeFile(pfx, server.pfx(), { mode: 0o600 })
  const clear = () => rm(dataDir, { recursive: true, force: true })
  const security = { pfx, admin: admin.thumbprint, identity }
  const running = await startRavenDb({ ...options, dataDir, security }).catch(async (/** @type {unknown} */ error) => {
    await clear()
    throw error
  })
  /** @type {SecuredRavenDb['call']} */
  const call = (method, path, body) => json(running.url, path, { method, body, identity })
  for (const name of databases) await createDatabase(running.url, name, { identity })
  return {
    url: running.url,
    ca: authority.cert,
    admin,
    issue,
    call,
    async register(name, clearance, secret) {
      const signed = issue(name)
      await call('PUT', '/admin/certificates', {
        Name: name,
        Certificate: signed.der.toString('base64'),
        SecurityClearance: typeof clearance === 'string' ? clearance : 'ValidUser',
        Permissions: typeof clearance === 'string' ? {} : clearance,
        ...(secret === undefined ? {} : { TwoFactorAuthenticationKey: secret }),
      })
      return signed
    },
    async close() {
      await running.stop()
      await clear()
    },
  }
}
