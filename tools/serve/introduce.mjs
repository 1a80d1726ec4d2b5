// @ts-check
/**
 * First requests to the server behind: read its version and the client's clearance. Errors are sentences that name the
 * remedy.
 */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { codeOf, Plain } from '../say.mjs'
import { createAgents, isStale, shownBy, WrongFingerprint } from './agents.mjs'
import { hasCertificate } from './identity.mjs'

/** @typedef {import('./identity.mjs').Identity} Identity */

/**
 * @typedef {object} Introduced
 * @property {string | undefined} version undefined: it reports none before a code was given
 * @property {boolean} wantsCode the certificate needs its second factor
 * @property {{ name: string, clearance: string, notAfter: string } | undefined} who undefined: an unsecured server
 */

const WITHIN_MS = 10_000
/** Length of a response beyond which it is not that of RavenDB, characters. */
const MOST_TEXT = 1 << 20

/**
 * @param {URL} target
 * @param {Identity} identity
 * @returns {Promise<Introduced>}
 * @throws {Plain}
 */
export async function introduce(target, identity) {
  const { single } = createAgents(target, identity)
  try {
    const { version } = await versionOf(target, identity, single)
    if (version === undefined) return { version, wantsCode: true, who: undefined }
    return { version, wantsCode: false, who: await whoIs(target, identity, single) }
  } finally {
    single.destroy()
  }
}

/**
 * @param {URL} target
 * @param {Identity} identity
 * @param {http.Agent} agent made for both
 * @param {number} [withinMs] time for the whole response
 * @returns {Promise<{ version: string | undefined, isNewConnection: boolean }>} version undefined: it reports none
 *   before a code was given
 * @throws {Plain} why it has none
 */
export async function versionOf(target, identity, agent, withinMs = WITHIN_MS) {
  const answer = await send(target, identity, agent, '/build/version', withinMs)
  const { isNewConnection } = answer
  if (answer.status === 428) return { version: undefined, isNewConnection }
  // Without TLS there is no certificate to refuse.
  if (answer.status === 403 && target.protocol === 'https:')
    throw new Plain(refused(target, identity, answer.body?.Message))
  if (typeof answer.body?.FullVersion !== 'string') throw new Plain(notRaven(target, answer))
  return { version: answer.body.FullVersion, isNewConnection }
}

/**
 * Identity that a server keeps in its data folder.
 * @param {URL} target
 * @param {Identity} identity
 * @param {http.Agent} agent made for both
 * @returns {Promise<string | null>} null: it did not report it
 */
export async function serverIdOf(target, identity, agent) {
  try {
    const { body } = await send(target, identity, agent, '/debug/server-id')
    return typeof body?.ServerId === 'string' ? body.ServerId : null
  } catch {
    return null
  }
}

/**
 * @param {URL} target
 * @param {Answer} answer of something else than RavenDB
 */
function notRaven(target, { status, location, isPage }) {
  const { origin } = target
  if (status >= 300 && status < 400) {
    const to = URL.canParse(location, origin) ? new URL(location, origin).origin : origin
    // An origin of another scheme than HTTP is the text `null`.
    if (to !== origin && to !== 'null')
      return `${origin} leads elsewhere (HTTP ${status}, to ${to}): give the address of the server itself.`
    return `${origin} asks for a login (HTTP ${status}), as a proxy does: give the address of the server itself.`
  }
  if (status === 401)
    return `${origin} asks for a password or a token (HTTP 401), as a proxy does: give the address of the server itself.`
  if (status === 502 || status === 503 || status === 504)
    return `${origin} answers HTTP ${status}, as a proxy does when it does not reach its server: check that the server runs.`
  return `${origin} answers${isPage ? ' with a web page' : ''}, but not as RavenDB does (HTTP ${status}): ${CHECK}.`
}

/**
 * @param {URL} target
 * @param {Identity} identity
 * @param {http.Agent} agent
 * @returns {Promise<Introduced['who']>}
 */
async function whoIs(target, identity, agent) {
  const { body: me } =
    target.protocol === 'https:' ? await send(target, identity, agent, '/certificates/whoami') : { body: null }
  return typeof me?.Name === 'string'
    ? { name: me.Name, clearance: String(me.SecurityClearance), notAfter: String(me.NotAfter ?? '').slice(0, 10) }
    : undefined
}

/**
 * Nodes of the cluster to which a server belongs, by their addresses for clients. The server itself keeps the address
 * that is known to work.
 * @param {URL} target
 * @param {Identity} identity
 * @returns {Promise<URL[]>}
 * @throws {Plain}
 */
export async function nodesOf(target, identity) {
  const { single } = createAgents(target, identity)
  try {
    const { body } = await send(target, identity, single, '/cluster/topology')
    const urls = Object.entries(body?.Topology?.AllNodes ?? {}).flatMap(([tag, url]) =>
      tag === body.NodeTag || !URL.canParse(String(url)) ? [] : [new URL(String(url))],
    )
    return [target, ...urls]
  } finally {
    single.destroy()
  }
}

const CHECK = 'check the address, and that the server runs'

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body null when it is no JSON, or too long
 * @property {string} location target of a redirect
 * @property {boolean} isPage whether it looks like HTML
 * @property {boolean} isNewConnection whether a connection was opened for it
 */

/**
 * @param {URL} target
 * @param {Identity} identity
 * @param {http.Agent} agent
 * @param {string} path
 * @param {number} [withinMs]
 * @returns {Promise<Answer>}
 */
async function send(target, identity, agent, path, withinMs = WITHIN_MS) {
  const signal = AbortSignal.timeout(withinMs)
  for (;;) {
    const request = (target.protocol === 'https:' ? https : http).request(new URL(path, target), {
      agent,
      signal,
      headers: { accept: 'application/json' },
    })
    let readBefore = 0
    request.once('socket', (socket) => (readBefore = socket.bytesRead))
    try {
      request.end()
      const [response] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'))
      const text = await textOf(response)
      return {
        status: response.statusCode ?? 0,
        body: jsonOf(text),
        location: response.headers.location ?? '',
        isPage: text.trimStart().startsWith('<'),
        isNewConnection: !request.reusedSocket,
      }
    } catch (error) {
      if (!signal.aborted && isStale(request, error)) continue
      throw new Plain(
        signal.aborted
          ? late(target, withinMs, (request.socket?.bytesRead ?? 0) - readBefore)
          : await unreachable(target, identity, error),
      )
    }
  }
}

/**
 * @param {URL} target
 * @param {number} withinMs
 * @param {number} bytes received of its response
 */
const late = ({ origin }, withinMs, bytes) =>
  bytes > 0
    ? `${origin} began to answer, but sent only ${bytes} B within ${withinMs / 1000} s: check the network, and the load of the server.`
    : `${origin} does not answer within ${withinMs / 1000} s: ${CHECK}.`

/**
 * @param {http.IncomingMessage} response
 * @returns {Promise<string>} its beginning, if it is longer than `MOST_TEXT`
 */
async function textOf(response) {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) {
    text += piece
    // Leaving the loop ends the connection.
    if (text.length > MOST_TEXT) break
  }
  return text
}

/** @param {string} text */
function jsonOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * @param {URL} target
 * @param {Identity} identity
 * @param {unknown} reported the server's own words
 */
function refused({ origin }, identity, reported) {
  const words = typeof reported === 'string' ? (reported.split('\n')[0] ?? '') : ''
  if (!hasCertificate(identity))
    return `${origin} asks for a client certificate: give the one that you open its Studio with, by --pfx FILE or --cert FILE --key FILE.`
  if (words.includes('is unknown'))
    return `${origin} does not know this certificate: use one that its Studio lists under Certificates, or have an administrator register it. It says: ${words}`
  if (words.includes('expired'))
    return `${origin} does not take this certificate any more: use a newer one. It says: ${words}`
  if (words.includes('none was provided'))
    return `${origin} did not receive the certificate: something between here and there ends TLS, so reach the server directly.`
  return `${origin} refuses this certificate (HTTP 403). It says: ${words || 'nothing'}`
}

/** OpenSSL's codes for problems with the authority of a certificate. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_UNTRUSTED',
  'INVALID_CA',
  'CERT_SIGNATURE_FAILURE',
])

/**
 * @param {URL} target
 * @param {Identity} identity
 * @param {unknown} error
 * @returns {Promise<string>}
 */
async function unreachable(target, identity, error) {
  const { origin, protocol, host, hostname } = target
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : undefined)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof WrongFingerprint)
    return `${origin} shows another certificate than --fingerprint names: its fingerprint is ${error.seen}. It was renewed, or another server answers: ask its administrator.`
  const shown =
    protocol === 'https:' && /CERT|SIGNED|ISSUER|LEAF|INVALID_CA/.test(code) ? await shownBy(target) : undefined
  const pin = `--fingerprint ${shown?.fingerprint256 ?? 'SHA256'}`
  const sure = 'if that is its fingerprint also where you know the server from'
  if (UNTRUSTED.has(code))
    return identity.ca === undefined
      ? `${origin} shows a certificate of ${nameIn(shown?.issuer)}, which is not trusted here: give the certificate of that authority with --ca FILE, or, ${sure}, ${pin}.`
      : `${origin} shows a certificate of ${nameIn(shown?.issuer)}, which the authority of --ca did not sign: give the one that did, or, ${sure}, ${pin}.`
  if (code === 'CERT_HAS_EXPIRED')
    return `The certificate of ${origin} expired on ${shown?.validTo ?? 'a day that is past'}: it has to be renewed. To look all the same, ${sure}, give ${pin}.`
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${origin} holds from ${shown?.validFrom ?? 'a later day'} on only: the clock here or there is wrong.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${origin} is for ${namesIn(shown)}, not for ${hostname}: use the name that it is for. Through a tunnel, ${sure}, give ${pin}.`
  if (
    protocol === 'https:' &&
    (code === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
      /wrong version number|packet length too long|http request/i.test(message))
  )
    return `${host} speaks no TLS: use http://${host}.`
  if (
    protocol === 'http:' &&
    (code === 'ECONNRESET' || code === 'HPE_INVALID_CONSTANT' || message === 'socket hang up')
  )
    return `${host} ends the connection without an answer: if it is a secured server, use https://${host}.`
  if (/ALERT|HANDSHAKE/.test(code))
    return `${origin} ended the TLS handshake (${code})${hasCertificate(identity) ? ': it does not take this certificate, or shares no version of TLS.' : ': it may want a client certificate, by --pfx FILE or --cert FILE --key FILE.'}`
  return `${origin} does not answer (${code || message}): ${CHECK}.`
}

/** @param {string | undefined} issuer lines such as `CN=…` */
function nameIn(issuer) {
  const found = /^(?:CN|O|OU)=(.+)$/m.exec(issuer ?? '')?.[1]
  return found === undefined ? 'an authority' : `“${found}”`
}

/** @param {import('node:crypto').X509Certificate | undefined} certificate */
function namesIn(certificate) {
  const names = [...(certificate?.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,]+)/g)].map(([, name]) => name)
  return names.length === 0 ? 'no name at all' : names.slice(0, 5).join(', ')
}
