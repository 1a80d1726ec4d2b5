// @ts-check
import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { expect, test } from 'vitest'
import { createAuthority } from './certificates.mjs'

const authority = createAuthority('an authority')
const own = new X509Certificate(authority.cert)

test('an authority signs itself and what it issues', () => {
  expect(own).toMatchObject({ ca: true, subject: 'CN=an authority', issuer: 'CN=an authority' })
  expect(own.verify(own.publicKey)).toBe(true)
  const server = new X509Certificate(
    authority.issue('localhost', { usage: 'server', hosts: ['localhost', '127.0.0.1'] }).cert,
  )
  expect(server.checkIssued(own)).toBe(true)
  expect(server.verify(own.publicKey)).toBe(true)
  expect(server).toMatchObject({
    ca: false,
    subjectAltName: 'DNS:localhost, IP Address:127.0.0.1',
    keyUsage: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
  })
  expect(server.publicKey.asymmetricKeyType).toBe('rsa')
})

test('a thumbprint is that of the certificate, and the end is the one wanted', () => {
  const far = authority.issue('far', { usage: 'client', notAfter: new Date('2099-12-31T12:00:00Z') })
  const read = new X509Certificate(far.der)
  expect(read.fingerprint.replaceAll(':', '')).toBe(far.thumbprint)
  expect(new Date(read.validTo).toISOString()).toBe('2099-12-31T12:00:00.000Z')
})

test.each(['', 'päß 🔑'])('a PFX opens with its passphrase %j and with no other', (passphrase) => {
  const { pfx } = authority.issue('user', { usage: 'client' })
  const file = pfx(passphrase)
  expect(() => tls.createSecureContext({ pfx: file, passphrase })).not.toThrow()
  expect(() => tls.createSecureContext({ pfx: file, passphrase: `${passphrase}x` })).toThrow(/mac verify/i)
})
