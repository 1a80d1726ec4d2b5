// @ts-check
/**
 * Client certificate of a stand-alone server for a secured RavenDB, and the authorities it trusts. Reads the files that
 * RavenDB issues (a zip of .pfx, .crt and .key) and those of other tools.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import tls from 'node:tls'
import { codeOf, Plain } from '../say.mjs'

/**
 * @typedef {object} Identity as the `https` module takes it, but for `fingerprint`
 * @property {string} [cert] PEM
 * @property {string} [key] PEM
 * @property {Buffer} [pfx]
 * @property {string} [passphrase]
 * @property {string} [ca] PEM; what Node and the system trust when left out
 * @property {string} [fingerprint] SHA-256 of the one certificate that the server may show, in place of all other checks
 *
 * @typedef {object} Given options of the command line
 * @property {string | undefined} [cert]
 * @property {string | undefined} [key]
 * @property {string | undefined} [pfx]
 * @property {string | undefined} [ca]
 * @property {string | undefined} [fingerprint]
 * @property {string | undefined} [passphrase-file]
 */

/** Names of the options that apply only to a secured server. */
export const IDENTITY_OPTIONS = /** @type {const} */ (['cert', 'key', 'pfx', 'ca', 'fingerprint', 'passphrase-file'])

/** Environment variable with the passphrase. A command line is visible to every user of the machine. */
export const PASSPHRASE = 'ROOKERY_PASSPHRASE'

/**
 * @param {Given} given
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Identity>}
 * @throws {Plain} with what is wrong with a file, and what would do
 */
export async function readIdentity(given, env = process.env) {
  if (given.pfx !== undefined && (given.cert !== undefined || given.key !== undefined))
    throw new Plain('--pfx holds the certificate and its key: leave --cert and --key out, or --pfx.')
  if (given.key !== undefined && given.cert === undefined)
    throw new Plain('--key is the key of a certificate: give that too, with --cert.')
  const passphrase =
    given['passphrase-file'] === undefined
      ? env[PASSPHRASE]
      : (await read('--passphrase-file', given['passphrase-file'])).toString('utf8').replace(/\r?\n$/, '')
  return {
    ...(given.cert === undefined ? {} : await readPem(given.cert, given.key, passphrase)),
    ...(given.pfx === undefined ? {} : await readPfx(given.pfx, passphrase)),
    ...(given.ca === undefined ? {} : { ca: await readAuthority(given.ca) }),
    ...(given.fingerprint === undefined ? {} : { fingerprint: fingerprintOf(given.fingerprint) }),
  }
}

/** @param {Identity} identity */
export const hasCertificate = ({ cert, pfx }) => cert !== undefined || pfx !== undefined

/**
 * @param {string} certFile
 * @param {string | undefined} keyFile
 * @param {string | undefined} passphrase
 */
async function readPem(certFile, keyFile, passphrase) {
  const cert = text(await read('--cert', certFile), '--cert', certFile)
  const key = keyFile === undefined ? cert : text(await read('--key', keyFile), '--key', keyFile)
  if (!cert.includes('BEGIN CERTIFICATE')) throw new Plain(`${certFile} holds no certificate, which --cert is to name.`)
  if (!/BEGIN ([A-Z]+ )*PRIVATE KEY/.test(key))
    throw new Plain(
      keyFile === undefined
        ? `${certFile} holds the certificate without its key: name the file that has it with --key.`
        : `${keyFile} holds no private key, which --key is to name.`,
    )
  const place = keyFile ?? certFile
  const isLocked = key.includes('ENCRYPTED')
  if (isLocked && passphrase === undefined) throw locked(`The key in ${place}`)
  const secret = isLocked && passphrase !== undefined ? { passphrase } : {}
  try {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey({ key, ...secret })))
      throw new Plain(`The key in ${place} is not that of the certificate in ${certFile}: they have to be a pair.`)
    tls.createSecureContext({ cert, key, ...secret })
  } catch (error) {
    throw unreadable(error, isLocked ? `the key in ${place}` : '', `${certFile}${keyFile ? ` or ${keyFile}` : ''}`)
  }
  return { cert, key, ...secret }
}

/**
 * @param {string} file
 * @param {string | undefined} passphrase
 */
async function readPfx(file, passphrase) {
  const pfx = await read('--pfx', file)
  notZip(pfx, file)
  if (pfx.includes('-----BEGIN'))
    throw new Plain(`${file} is no PFX but PEM: name it with --cert, and with --key the file of its key.`)
  if (!holdsPfx(pfx)) throw new Plain(`${file} is no PFX: name the .pfx (.p12) file that holds certificate and key.`)
  try {
    tls.createSecureContext({ pfx, passphrase: passphrase ?? '' })
  } catch (error) {
    if (passphrase === undefined && /mac verify/i.test(String(error))) throw locked(file)
    throw unreadable(error, file, file)
  }
  return { pfx, passphrase: passphrase ?? '' }
}

/**
 * @param {Buffer} bytes
 * @returns {boolean} whether they begin as PKCS #12 does: a sequence whose first member is version 3. A certificate begins with
 *   another sequence.
 */
function holdsPfx(bytes) {
  const { 0: tag, 1: length = 0 } = bytes
  const at = length < 0x80 ? 2 : 2 + (length & 0x7f)
  return tag === 0x30 && bytes.subarray(at, at + 3).equals(Buffer.from([2, 1, 3]))
}

/** @param {string} file */
async function readAuthority(file) {
  const ca = text(await read('--ca', file), '--ca', file)
  const each = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (each.length === 0) throw new Plain(`${file} holds no certificate, which --ca is to name.`)
  try {
    tls.createSecureContext({ ca: each.map((one) => new X509Certificate(one).toString()) })
  } catch {
    throw new Plain(`${file} cannot be read as certificates, which --ca is to name.`)
  }
  return ca
}

/**
 * @param {string} given
 * @returns {string} as `fingerprint256` of Node writes it
 */
function fingerprintOf(given) {
  const digits = given.replace(/^sha-?256[:= ]+|[:\s]/gi, '').toUpperCase()
  if (!/^[0-9A-F]{64}$/.test(digits))
    throw new Plain(
      `--fingerprint takes the SHA-256 fingerprint of the server's certificate, 64 hexadecimal digits, not ${JSON.stringify(given)}.`,
    )
  return digits.replace(/..(?!$)/g, '$&:')
}

/**
 * @param {string} option
 * @param {string} file
 */
async function read(option, file) {
  try {
    // npm runs its scripts in the project's folder, and passes the folder from which it was called.
    return await readFile(resolve(process.env['INIT_CWD'] ?? '', file))
  } catch (error) {
    const code = codeOf(error)
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EACCES'
          ? 'this user may not read it'
          : code || String(error)
    throw new Plain(`${option} names ${file}, which cannot be read: ${why}.`)
  }
}

/**
 * @param {Buffer} bytes
 * @param {string} option
 * @param {string} file
 */
function text(bytes, option, file) {
  notZip(bytes, file)
  if (bytes.includes('-----BEGIN')) return bytes.toString('utf8')
  throw new Plain(
    option === '--cert'
      ? `${file} is not PEM: if it is a PFX (.pfx, .p12), name it with --pfx instead.`
      : `${file} is not PEM, which ${option} takes: openssl x509 -inform der -in FILE converts a certificate.`,
  )
}

/**
 * @param {Buffer} bytes
 * @param {string} file
 */
function notZip(bytes, file) {
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1')))
    throw new Plain(`${file} is a zip: unpack it, and name the .pfx in it with --pfx.`)
}

/** @param {string} what */
function locked(what) {
  return new Plain(`${what} has a passphrase: give it in ${PASSPHRASE}, or in a file named by --passphrase-file.`)
}

/**
 * @param {unknown} error of the crypto library
 * @param {string} secret what has a passphrase; '' when nothing has
 * @param {string} files
 */
function unreadable(error, secret, files) {
  if (error instanceof Plain) return error
  const why = error instanceof Error ? error.message : String(error)
  // A wrong passphrase, in one case of some hundreds, decrypts a key to bytes that have valid padding but are not a key.
  const isNoKey = /PKCS12 routines::decode error/.test(causesOf(error).join(' '))
  if (secret !== '' && (isNoKey || /mac verify|bad decrypt|maybe wrong password|wrong (final|tag)/i.test(why)))
    return new Plain(`The passphrase does not open ${secret}: check ${PASSPHRASE}, or the file of --passphrase-file.`)
  if (/unsupported/i.test(why))
    return new Plain(
      `${files} is encrypted in a way that is no longer supported (RC2): use the .crt and .key that came with it, or start with NODE_OPTIONS=--openssl-legacy-provider.`,
    )
  return new Plain(`${files} cannot be read as a certificate with its key (${why}).`)
}

/**
 * @param {unknown} error
 * @returns {readonly string[]} what OpenSSL reports beside the message
 */
function causesOf(error) {
  const { opensslErrorStack: causes } = /** @type {{ opensslErrorStack?: unknown }} */ (error)
  return Array.isArray(causes) ? causes.map(String) : []
}
