// @ts-check
/**
 * Decides which clients may use a server on loopback: pages that it served itself. A page of another site must not
 * reach the RavenDB behind it, neither by a host name that the site resolves to 127.0.0.1 nor by a cross-site request.
 */

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} port on which it came
 * @param {{ page?: boolean }} [options] `page`: the request is for a file of the studio, to which any site may link
 * @returns {string} why it is refused, '' when it is not
 */
export function refusal({ headers }, port, { page = false } = {}) {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  const host = headers.host?.toLowerCase() ?? ''
  if (!hosts.includes(host))
    return `It is served to ${hosts[0]} only, not to ${headers.host ?? 'a request without Host'}.`
  const { origin } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return `A page of ${origin} may not use this server.`
  const site = headers['sec-fetch-site']
  if (!page && typeof site === 'string' && site !== 'same-origin' && site !== 'none')
    return 'A page of another site may not use this server.'
  return ''
}
