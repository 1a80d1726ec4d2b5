// @ts-check
/** Connections to the server behind: kept ones for requests, one each for websockets, as who one is and to whom one trusts. */
import http from 'node:http'
import https from 'node:https'
import tls from 'node:tls'

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
    // what the option names is trusted even where it is no authority, such as the server's own certificate
    ...(identity.ca === undefined ? { ca: trustedHere() } : { allowPartialTrustChain: true }),
  }
  const make = (/** @type {boolean} */ keepAlive) =>
    fingerprint === undefined
      ? new https.Agent({ ...options, keepAlive })
      : new PinnedAgent({ ...options, keepAlive, maxCachedSessions: 0 }, fingerprint)
  return { kept: make(true), single: make(false) }
}

/** The server shows another certificate than that of the given fingerprint. */
export class WrongFingerprint extends Error {
  /** @param {string} seen */
  constructor(seen) {
    super(`the server shows another certificate than the one of --fingerprint: ${seen}`)
    this.seen = seen
  }
}

/** Trusts one certificate, whatever its issuer, name and expiry; nothing is sent to any other. */
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
    // runs while the handshake ends, before what was written is sent
    socket.prependOnceListener('secureConnect', () => {
      const seen = socket.getPeerX509Certificate()?.fingerprint256 ?? 'none'
      if (seen !== this.#fingerprint) socket.destroy(new WrongFingerprint(seen))
    })
    return socket
  }
}

/**
 * The authorities of Node and, where it can list them (22.15 and later), of the system: a company's own is there.
 * @returns {string[] | undefined} undefined: Node's own
 */
function trustedHere() {
  const ask = /** @type {{ getCACertificates?: (type: string) => string[] }} */ (tls).getCACertificates
  return ask === undefined ? undefined : [...new Set([...ask('default'), ...ask('system')])]
}

/**
 * The certificate that a server shows, trusted or not: connects anonymously, and sends nothing.
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
