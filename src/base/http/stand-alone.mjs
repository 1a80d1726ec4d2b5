// @ts-check
/**
 * Names, in page and stand-alone server, of the key without which the latter lends no certificate, and of the paths of servers
 * where it has several. A cookie would go to every port of this machine; what is in the storage of an origin stays with its
 * port.
 */

/** Request header. */
export const KEY_HEADER = 'rookery-key'
/** Last query parameter of a websocket, for which a page cannot set headers. */
export const KEY_PARAMETER = 'rookery-key'
/** Key in the storage of the page's origin. */
export const KEY_STORED = 'rookery.key'

/** Path of the list of servers, if there are several. */
export const SERVERS_PATH = '/rookery/servers'
/** Prefix of the path of each server. */
const UNDER = '/servers/'

/**
 * @param {string} name of a server, as in its address: `db.example:8080`
 * @returns {string} its path, without a slash at its end
 */
export const pathOfServer = (name) => UNDER + name

/**
 * @param {string} pathname of a page or an address
 * @returns {string} path of the server that it belongs to; empty: the only one, which has the whole origin
 */
export const serverPathOf = (pathname) => /^\/servers\/[\w.:-]+(?=\/|$)/.exec(pathname)?.[0] ?? ''

/**
 * @param {string} address of a server as the page requests it: `http://127.0.0.1:8085/servers/db.example:8080`
 * @returns {string} host and port of the server itself: `db.example:8080`
 */
export function hostOfServer(address) {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  return serverPathOf(pathname).slice(UNDER.length) || host
}
