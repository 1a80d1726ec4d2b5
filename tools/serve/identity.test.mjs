// @ts-check
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../certificates/certificates.mjs'
import { codeOf } from '../say.mjs'
import { readIdentity } from './identity.mjs'

let dir = ''
const authority = createAuthority('an authority')
const me = authority.issue('me', { usage: 'client' })
const other = authority.issue('other', { usage: 'client' })
const lockedKey = createPrivateKey(me.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
  .toString()

/** @type {Record<string, string | Buffer>} */
const FILES = {
  'me.crt': me.cert,
  'me.key': me.key,
  'me.pem': me.cert + me.key,
  'other.key': other.key,
  'locked.key': lockedKey,
  'me.der': me.der,
  'open.pfx': me.pfx(),
  'locked.pfx': me.pfx('secret'),
  'me.zip': Buffer.from('PK\x03\x04rest', 'latin1'),
  'ca.crt': authority.cert,
  'broken.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  secret: 'secret\n',
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rookery-identity-'))
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(dir, name), content)
})
afterAll(() => rmSync(dir, { recursive: true }))

/**
 * @param {import('./identity.mjs').Given} given names of files in the folder
 * @param {NodeJS.ProcessEnv} [env]
 */
function identity(given, env = {}) {
  const isFile = (/** @type {string} */ option) => option !== 'fingerprint'
  const placed = Object.entries(given).map(([option, name]) => [
    option,
    isFile(option) ? join(dir, String(name)) : name,
  ])
  return readIdentity(Object.fromEntries(placed), env)
}

test('a pair of files, one file with both, and a PFX will do', async () => {
  expect(await identity({ cert: 'me.crt', key: 'me.key' })).toEqual({ cert: me.cert, key: me.key })
  expect(await identity({ cert: 'me.pem' })).toMatchObject({ cert: me.cert + me.key })
  expect(await identity({ pfx: 'open.pfx' })).toMatchObject({ passphrase: '' })
  expect(await identity({ ca: 'ca.crt' })).toEqual({ ca: authority.cert })
})

test('a passphrase comes from the environment or a file', async () => {
  const env = { ROOKERY_PASSPHRASE: 'secret' }
  expect(await identity({ pfx: 'locked.pfx' }, env)).toMatchObject({ passphrase: 'secret' })
  expect(await identity({ cert: 'me.crt', key: 'locked.key' }, env)).toMatchObject({ passphrase: 'secret' })
  expect(await identity({ pfx: 'locked.pfx', 'passphrase-file': 'secret' })).toMatchObject({ passphrase: 'secret' })
})

test('a fingerprint is taken as tools write it', async () => {
  const { fingerprint } = await identity({ fingerprint: `sha256 Fingerprint=${'ab:'.repeat(31)}cd`.replace(/.*=/, '') })
  expect(fingerprint).toBe(`${'AB:'.repeat(31)}CD`)
  expect(await identity({ fingerprint: 'ab'.repeat(32) })).toEqual({ fingerprint: `${'AB:'.repeat(31)}AB` })
  await expect(identity({ fingerprint: 'abcd' })).rejects.toThrow('64 hexadecimal digits')
})

test.each([
  [{ pfx: 'open.pfx', cert: 'me.crt' }, /leave --cert and --key out, or --pfx/],
  [{ key: 'me.key' }, /give that too, with --cert/],
  [{ cert: 'me.crt' }, /without its key: name the file that has it with --key/],
  [{ cert: 'me.crt', key: 'other.key' }, /is not that of the certificate/],
  [{ cert: 'me.crt', key: 'ca.crt' }, /holds no private key/],
  [{ cert: 'me.key', key: 'me.key' }, /holds no certificate/],
  [{ cert: 'me.crt', key: 'locked.key' }, /has a passphrase: give it in ROOKERY_PASSPHRASE/],
  [{ cert: 'me.der' }, /if it is a PFX .* name it with --pfx/],
  [{ pfx: 'locked.pfx' }, /has a passphrase/],
  [{ pfx: 'me.pem' }, /is no PFX but PEM/],
  [{ pfx: 'me.zip' }, /is a zip: unpack it/],
  [{ pfx: 'me.der' }, /is no PFX: name the \.pfx/],
  [{ pfx: 'secret' }, /is no PFX: name the \.pfx/],
  [{ pfx: 'none.pfx' }, /there is no such file/],
  [{ ca: 'me.key' }, /holds no certificate/],
  [{ ca: 'broken.crt' }, /cannot be read as certificates/],
])('says what is wrong with %o', async (given, why) => {
  await expect(identity(given)).rejects.toMatchObject({ name: 'Plain', message: why })
})

test.each([{ pfx: 'locked.pfx' }, { cert: 'me.crt', key: 'locked.key' }])(
  'a wrong passphrase of %o is reported, and not repeated',
  async (given) => {
    const wrong = identity(given, { ROOKERY_PASSPHRASE: 'guessed' })
    await expect(wrong).rejects.toThrow(/The passphrase does not open/)
    await expect(wrong).rejects.not.toThrow(/guessed/)
  },
)

test('a wrong passphrase that decrypts a key to something else is reported as wrong too', async () => {
  const opensAsOther = (/** @type {string} */ passphrase) => {
    try {
      createPrivateKey({ key: lockedKey, passphrase })
      return false
    } catch (error) {
      return codeOf(error) === 'ERR_OSSL_UNSUPPORTED'
    }
  }
  // About one in 400 is such a one.
  let at = 0
  while (at < 20_000 && !opensAsOther(`guess ${at}`)) at++
  const wrong = identity({ cert: 'me.crt', key: 'locked.key' }, { ROOKERY_PASSPHRASE: `guess ${at}` })
  await expect(wrong).rejects.toThrow(/The passphrase does not open/)
})
