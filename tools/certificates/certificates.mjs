// @ts-check
/**
 * Creates certificates for tests: an authority, and certificates that it signs for servers and users. Node reads
 * certificates but creates none, and a machine that runs the tests need not have openssl.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { bits, boolean, element, integer, nothing, octets, oid, sequence, set, tagged, time, utf8 } from './der.mjs'
import { pkcs12 } from './pkcs12.mjs'

/** @typedef {import('node:crypto').KeyObject} KeyObject */

/**
 * @typedef {object} Signed
 * @property {string} cert PEM
 * @property {string} key PEM, PKCS #8
 * @property {Buffer} der the certificate
 * @property {string} thumbprint SHA-1 in upper-case hexadecimal, by which RavenDB knows a certificate
 * @property {(passphrase?: string) => Buffer} pfx the certificate with its key
 *
 * @typedef {object} Wanted
 * @property {'server' | 'client'} usage
 * @property {readonly string[]} [hosts] DNS names and IPv4 addresses that a server answers to
 * @property {Date} [notAfter] in a day when left out
 *
 * @typedef {Signed & { issue: (name: string, wanted: Wanted) => Signed }} Authority
 */

const DAY_MS = 86_400_000
const SHA256_RSA = sequence(oid('1.2.840.113549.1.1.11'), nothing)
const SHA256_ECDSA = sequence(oid('1.2.840.10045.4.3.2'))

/**
 * @param {string} name
 * @returns {Authority} signs itself
 */
export function createAuthority(name) {
  const { publicKey, privateKey } = fastKeys()
  const extensions = [extension('2.5.29.19', sequence(boolean(true)), true), keyUsage(0b0000_0110, 1)]
  const own = signed({ name, issuer: name, publicKey, privateKey, signer: privateKey, extensions })
  return {
    ...own,
    issue(subject, { usage, hosts = [], notAfter }) {
      // RavenDB accepts only RSA for its own certificate.
      const pair = usage === 'server' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : fastKeys()
      const purposes = usage === 'server' ? [SERVER_AUTH, CLIENT_AUTH] : [CLIENT_AUTH]
      return signed({
        name: subject,
        issuer: name,
        ...pair,
        signer: privateKey,
        notAfter,
        extensions: [
          keyUsage(0b1010_0000, 5),
          extension('2.5.29.37', sequence(...purposes)),
          ...(hosts.length === 0 ? [] : [extension('2.5.29.17', sequence(...hosts.map(alternativeName)))]),
        ],
      })
    },
  }
}

const SERVER_AUTH = oid('1.3.6.1.5.5.7.3.1')
const CLIENT_AUTH = oid('1.3.6.1.5.5.7.3.2')

function fastKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

/**
 * Creates a signed certificate (RFC 5280, 4.1).
 * @param {{ name: string, issuer: string, publicKey: KeyObject, privateKey: KeyObject, signer: KeyObject, extensions: Buffer[], notAfter?: Date | undefined }} parts
 * @returns {Signed}
 */
function signed({ name, issuer, publicKey, privateKey, signer, extensions, notAfter }) {
  const end = notAfter ?? new Date(Date.now() + DAY_MS)
  const begin = new Date(Math.min(Date.now(), end.getTime()) - DAY_MS)
  const algorithm = signer.asymmetricKeyType === 'rsa' ? SHA256_RSA : SHA256_ECDSA
  const content = sequence(
    tagged(0, integer(2)),
    integer(randomBytes(8)),
    algorithm,
    distinguishedName(issuer),
    sequence(time(begin), time(end)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions)),
  )
  const der = sequence(content, algorithm, bits(sign('sha256', content, signer)))
  return {
    cert: new X509Certificate(der).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    der,
    thumbprint: createHash('sha1').update(der).digest('hex').toUpperCase(),
    pfx: (passphrase = '') => pkcs12(der, privateKey, passphrase),
  }
}

/** @param {string} commonName */
function distinguishedName(commonName) {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(commonName))))
}

/**
 * @param {string} id
 * @param {Buffer} value
 * @param {boolean} [critical]
 */
function extension(id, value, critical = false) {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value))
}

/**
 * @param {number} flags the highest bit is digitalSignature, then nonRepudiation, keyEncipherment, … (RFC 5280, 4.2.1.3)
 * @param {number} unused lowest bits that mean nothing
 */
function keyUsage(flags, unused) {
  return extension('2.5.29.15', element(0x03, Buffer.of(unused, flags)), true)
}

/** @param {string} host */
function alternativeName(host) {
  return /^\d+(\.\d+){3}$/.test(host)
    ? element(0x87, Buffer.from(host.split('.').map(Number)))
    : element(0x82, Buffer.from(host))
}
