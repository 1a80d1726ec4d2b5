// @ts-check
/** DER encoding (X.690) of the elements that X.509 certificates and PKCS #12 files need. */

/** @typedef {Buffer} Der one element, encoded */

/**
 * @param {number} tag
 * @param {...Uint8Array} parts
 * @returns {Der}
 */
export function element(tag, ...parts) {
  const body = Buffer.concat(parts)
  const size = body.length
  const bytes = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  if (size > 0xffff) throw new Error(`an element of ${size} bytes is longer than is written here`)
  return Buffer.concat([Buffer.from([tag, ...bytes]), body])
}

/** @param {...Der} parts */
export const sequence = (...parts) => element(0x30, ...parts)
/** @param {...Der} parts */
export const set = (...parts) => element(0x31, ...parts)
/** @param {Uint8Array} bytes */
export const octets = (bytes) => element(0x04, bytes)
/** @param {Uint8Array} bytes whole bytes only */
export const bits = (bytes) => element(0x03, Buffer.of(0), bytes)
/** @param {string} text */
export const utf8 = (text) => element(0x0c, Buffer.from(text))
/** @param {boolean} value */
export const boolean = (value) => element(0x01, Buffer.of(value ? 0xff : 0))
export const nothing = element(0x05)

/**
 * Element with an explicit tag around it, or with a tag in place of its own.
 * @param {number} number
 * @param {...Uint8Array} parts
 */
export const tagged = (number, ...parts) => element(0xa0 + number, ...parts)

/** @param {number | Uint8Array} value not negative; bytes are big-endian */
export function integer(value) {
  const hex = typeof value === 'number' ? value.toString(16) : Buffer.from(value).toString('hex')
  // Shortest form: readers refuse a number with leading zero bytes.
  const digits = hex.replace(/^(00)+(?=..)/, '')
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return element(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.of(0) : Buffer.of(), bytes)
}

/** @param {string} dotted such as `2.5.4.3` */
export function oid(dotted) {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = rest.flatMap((arc) => {
    const septets = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      septets.unshift(0x80 | (left & 0x7f))
    return septets
  })
  return element(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

/** @param {Date} date of the years 2000 to 9999 */
export function time(date) {
  const digits = date.toISOString().replace(/[-:T]|\..*$/g, '')
  // RFC 5280, 4.1.2.5: years up to 2049 have two digits, later ones four.
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : element(0x18, Buffer.from(`${digits}Z`))
}
