// @ts-check
/** RavenDB has a method of its own, RESET, which the HTTP parser of Node does not accept: a page sends it as a POST that names it. */

/** Of a POST: the method that is meant. Only methods that Node cannot receive. */
export const METHOD_HEADER = 'rookery-method'

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {string} the method for the target, by which it is judged as well
 */
export const methodOf = ({ method = '', headers }) =>
  method === 'POST' && headers[METHOD_HEADER] === 'RESET' ? 'RESET' : method
