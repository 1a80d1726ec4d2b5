// @ts-check
/** Writes a PKCS #12 file (PFX, RFC 7292) with one certificate and its key, in the form that RavenDB accepts. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { integer, nothing, octets, oid, sequence, set, tagged } from './der.mjs'

const ITERATIONS = 2048
const DATA = oid('1.2.840.113549.1.7.1')

/**
 * @param {Buffer} certificate DER
 * @param {import('node:crypto').KeyObject} key
 * @param {string} passphrase '': the key is not encrypted, but the file still has its checksum
 * @returns {Buffer}
 */
export function pkcs12(certificate, key, passphrase) {
  const keyId = set(
    sequence(oid('1.2.840.113549.1.9.21'), set(octets(createHash('sha1').update(certificate).digest()))),
  )
  const keyBag =
    passphrase === ''
      ? bag('1.2.840.113549.1.12.10.1.1', key.export({ type: 'pkcs8', format: 'der' }), keyId)
      : bag(
          '1.2.840.113549.1.12.10.1.2',
          key.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase }),
          keyId,
        )
  const x509 = sequence(oid('1.2.840.113549.1.9.22.1'), tagged(0, octets(certificate)))
  const content = sequence(data(sequence(bag('1.2.840.113549.1.12.10.1.3', x509, keyId))), data(sequence(keyBag)))
  return sequence(integer(3), data(content), checksum(content, passphrase))
}

/**
 * @param {string} type
 * @param {Buffer} value
 * @param {Buffer} attributes
 */
function bag(type, value, attributes) {
  return sequence(oid(type), tagged(0, value), attributes)
}

/** @param {Buffer} content */
function data(content) {
  return sequence(DATA, tagged(0, octets(content)))
}

/**
 * Creates MacData with SHA-256.
 * @param {Buffer} content
 * @param {string} passphrase
 */
function checksum(content, passphrase) {
  const salt = randomBytes(16)
  const mac = createHmac('sha256', macKey(passphrase, salt)).update(content).digest()
  const digest = sequence(sequence(oid('2.16.840.1.101.3.4.2.1'), nothing), octets(mac))
  return sequence(digest, octets(salt), integer(ITERATIONS))
}

/**
 * Derives the MAC key (RFC 7292, B.2), for a key as long as one hash.
 * @param {string} passphrase
 * @param {Buffer} salt
 */
function macKey(passphrase, salt) {
  const block = 64
  // Big-endian UTF-16 with a final zero.
  const secret = Buffer.from(`${passphrase}\0`, 'utf16le').swap16()
  const fill = (/** @type {Buffer} */ bytes) =>
    Buffer.alloc(Math.ceil(bytes.length / block) * block, new Uint8Array(bytes))
  let key = Buffer.concat([Buffer.alloc(block, 3), fill(salt), fill(secret)])
  for (let round = 0; round < ITERATIONS; round++) key = createHash('sha256').update(key).digest()
  return key
}
