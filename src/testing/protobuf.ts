/** Fields of a message: numbers of wire type 0 and bytes of wire type 2, in order. Throws on anything else. */
export function fieldsOf(bytes: Uint8Array): { readonly field: number; readonly value: bigint | Uint8Array }[] {
  const fields: { field: number; value: bigint | Uint8Array }[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63n) throw new Error('cut varint')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    if (tag % 8 === 0) fields.push({ field: tag >> 3, value: varint() })
    else if (tag % 8 === 2) {
      const length = Number(varint())
      if (at + length > bytes.length) throw new Error('cut bytes')
      fields.push({ field: tag >> 3, value: bytes.subarray(at, at + length) })
      at += length
    } else throw new Error(`wire type ${tag % 8}`)
  }
  return fields
}

/** A packed list of unsigned numbers. */
export const numbersOf = (bytes: Uint8Array): number[] => {
  const numbers: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    let value = bytes[at]! & 0x7f
    for (let scale = 128; bytes[at]! >= 0x80; scale *= 128) value += (bytes[++at]! & 0x7f) * scale
    numbers.push(value)
  }
  return numbers
}
