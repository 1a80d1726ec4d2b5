import { resolve } from 'node:path'
import type { Signed } from '../../tools/certificates/certificates.mjs'
import { startSecuredRavenDb, type SecuredRavenDb } from '../../tools/ravendb/secured.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import { expect, test as base } from './raven.ts'

/** Base32, of 160 bits. */
export const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** `writer` and `owner`: may write to the database `mine` or administer it, and know nothing of `theirs`. `codes`: an operator with a second factor. */
export type Role = 'stranger' | 'writer' | 'owner' | 'operator' | 'clusterAdmin' | 'codes'

interface Secured {
  readonly server: SecuredRavenDb
  readonly certificates: Readonly<Record<Role, Signed>>
  readonly studio: (hash: string) => string
}

/** Pages of a test come with the certificate of a role, to one secured server for each worker. */
export const test = base.extend<{ role: Role }, { secured: Secured }>({
  secured: [
    async ({ ravenVersion }, use) => {
      const studioPath = resolve(import.meta.dirname, '../../dist')
      const databases = ['mine', 'theirs']
      const server = await startSecuredRavenDb({ version: ravenVersion, databases, studioPath, env: THRIFTY })
      const certificates = {
        stranger: server.issue('stranger'),
        writer: await server.register('writer', { mine: 'ReadWrite' }),
        owner: await server.register('owner', { mine: 'Admin' }),
        operator: await server.register('operator', 'Operator'),
        clusterAdmin: server.admin,
        codes: await server.register('codes', 'Operator', SECRET),
      }
      await use({ server, certificates, studio: (hash) => `${server.url}/studio/index.html${hash}` })
      await server.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  role: ['operator', { option: true }],
  ignoreHTTPSErrors: true,
  clientCertificates: async ({ secured, role }, use) => {
    const { cert, key } = secured.certificates[role]
    await use([{ origin: secured.server.url, cert: Buffer.from(cert), key: Buffer.from(key) }])
  },
})

export { expect }
