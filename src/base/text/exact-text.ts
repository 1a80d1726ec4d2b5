import { concatBytes } from '../concat-bytes.ts'

/**
 * Converts bytes to text and back without loss. RavenDB stores and sends bytes that are not valid UTF-8; each becomes
 * an unpaired surrogate, U+DC80 to U+DCFF, and the same byte on the way back.
 */
const BYTE_AS_SURROGATE = 0xdc00

const LONE_HALF = /[\uD800-\uDFFF]/u
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

export function exactText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeByPieces(bytes)
  }
}

/** Other unpaired surrogates have no byte and become U+FFFD. */
export function exactBytes(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  if (!LONE_HALF.test(text)) return encoder.encode(text)
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { 0: halves, index } of text.matchAll(/[\uDC80-\uDCFF]+/gu)) {
    pieces.push(encoder.encode(text.slice(from, index)))
    pieces.push(Uint8Array.from(halves, (half) => half.charCodeAt(0) - BYTE_AS_SURROGATE))
    from = index + halves.length
  }
  pieces.push(encoder.encode(text.slice(from)))
  return concatBytes(pieces)
}

function decodeByPieces(bytes: Uint8Array): string {
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at)
    if (length > 0) at += length
    else {
      text += lenient.decode(bytes.subarray(from, at)) + String.fromCharCode(BYTE_AS_SURROGATE + (bytes[at] ?? 0))
      at += 1
      from = at
    }
  }
  return text + lenient.decode(bytes.subarray(from))
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0

/** Length of the UTF-8 character at `at`; 0: none begins there. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  for (let i = 1; i < length; i++) if (!isContinuation(bytes[at + i])) return 0
  const second = bytes[at + 1] ?? 0
  const isTooLong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90)
  const isOutside = (lead === 0xed && second >= 0xa0) || (lead === 0xf4 && second >= 0x90)
  return isTooLong || isOutside ? 0 : length
}
