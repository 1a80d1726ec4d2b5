// @ts-check
/**
 * Connections to the server behind: reused ones for requests, a separate one for each websocket. They carry the
 * client's certificate and the trusted authorities.
 */
import http from 'node:http'
import https from 'node:https'
import tls from 'node:tls'
import { codeOf } from '../say.mjs'

/** @typedef {import('./identity.mjs').Identity} Identity */

/**
 * @param {URL} target
 * @param {Identity} identity
 * @returns {{ kept: http.Agent, single: http.Agent }}
 */
export function createAgents(target, { fingerprint, ...identity }) {
  if (target.protocol !== 'https:')
    return { kept: new http.Agent({ keepAlive: true }), single: new http.Agent({ keepAlive: false }) }
  const options = {
    ...identity,
    // A certificate that the option names is trusted even if it is not an authority, such as the server's own.
    ...(identity.ca === undefined ? { ca: trustedHere() } : { allowPartialTrustChain: true }),
  }
  const make = (/** @type {boolean} */ keepAlive) =>
    fingerprint === undefined
      ? new https.Agent({ ...options, keepAlive })
      : new PinnedAgent({ ...options, keepAlive, maxCachedSessions: 0 }, fingerprint)
  return { kept: make(true), single: make(false) }
}

/**
 * Whether a request failed because its connection was ended while it was idle: servers and proxies end those after some
 * seconds, maybe in the moment in which one is used again. Nothing of the request was read then.
 * @param {http.ClientRequest} request
 * @param {unknown} error
 */
export const isStale = (request, error) => request.reusedSocket && codeOf(error) === 'ECONNRESET'

/** Thrown when the server's certificate does not have the given fingerprint. */
export class WrongFingerprint extends Error {
  /** @param {string} seen */
  constructor(seen) {
    super(`the server shows another certificate than the one of --fingerprint: ${seen}`)
    this.seen = seen
  }
}

/** Trusts exactly one certificate, whatever its issuer, name and expiry. Sends nothing to a server with any other. */
class PinnedAgent extends https.Agent {
  #fingerprint

  /**
   * @param {https.AgentOptions} options
   * @param {string} fingerprint
   */
  constructor(options, fingerprint) {
    super(options)
    this.#fingerprint = fingerprint
  }

  /**
   * @override
   * @param {any} options
   * @param {any} callback
   */
  createConnection(options, callback) {
    const create = /** @type {(options: object, callback: unknown) => tls.TLSSocket} */ (
      Reflect.get(https.Agent.prototype, 'createConnection')
    )
    const socket = create.call(this, { ...options, rejectUnauthorized: false }, callback)
    // Runs at the end of the handshake, before the written data is sent.
    socket.prependOnceListener('secureConnect', () => {
      const seen = socket.getPeerX509Certificate()?.fingerprint256 ?? 'none'
      if (seen !== this.#fingerprint) socket.destroy(new WrongFingerprint(seen))
    })
    return socket
  }
}

/**
 * Certificate authorities of Node and, if Node can list them (22.15 and later), of the system, which includes those of
 * a company.
 * @returns {string[] | undefined} undefined: Node's own
 */
function trustedHere() {
  const certificatesOf = /** @type {{ getCACertificates?: (type: string) => string[] }} */ (tls).getCACertificates
  return certificatesOf === undefined
    ? undefined
    : [...new Set([...certificatesOf('default'), ...certificatesOf('system')])]
}

/**
 * Reads the certificate that a server presents, trusted or not. Connects anonymously and sends nothing.
 * @param {URL} target
 * @returns {Promise<import('node:crypto').X509Certificate | undefined>}
 */
export function shownBy(target) {
  const host = target.hostname.replace(/^\[|\]$/g, '')
  return new Promise((done) => {
    const socket = tls.connect({
      host,
      port: Number(target.port || 443),
      rejectUnauthorized: false,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    })
    socket.setTimeout(5000, () => socket.destroy())
    socket.once('secureConnect', () => {
      done(socket.getPeerX509Certificate())
      socket.destroy()
    })
    socket.once('error', () => done(undefined))
    socket.once('close', () => done(undefined))
  })
}
