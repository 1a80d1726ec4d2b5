// @ts-check
/**
 * Names, in page and stand-alone server, of the key without which the latter lends no certificate. A cookie would go to
 * every port of this machine; what is in the storage of an origin stays with its port.
 */

/** Header of a request. */
export const KEY_HEADER = 'rookery-key'
/** Parameter in the query of a websocket, which has no headers of the page's choice: the last one there. */
export const KEY_PARAMETER = 'rookery-key'
/** In the storage of the page's origin. */
export const KEY_STORED = 'rookery.key'
