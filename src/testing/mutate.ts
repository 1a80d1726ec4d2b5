/** Values that a file may hold in the place of another: out of range, of another kind, hostile. */
const NASTY = [
  'NaN',
  '-Infinity',
  '1e308',
  '-1',
  '9223372036854775807',
  '0.1e-400',
  'null',
  '""',
  '[]',
  '{}',
  '"2026-02-31T99:00:00Z"',
  '"<img src=x onerror=alert(1)>"',
  '"\\ud800"',
  '"\\u0000"',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `"${'x'.repeat(70_000)}"`,
]

const encoder = new TextEncoder()

/** Bytes with one to four mutations of the kinds that files really suffer: cut, flipped, doubled, dropped, replaced. */
export function mutate(bytes: Uint8Array, random: () => number): Uint8Array<ArrayBuffer> {
  let mutated = bytes.slice()
  const at = (): number => Math.floor(random() * mutated.length)
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const kind = Math.floor(random() * 6)
    const from = at()
    const to = Math.min(mutated.length, from + Math.floor(random() * random() * 2000))
    if (kind === 0) mutated = mutated.slice(0, from)
    else if (kind === 1) mutated[from] = Math.floor(random() * 256)
    else if (kind === 2) mutated = splice(mutated, from, from, mutated.slice(from, to))
    else if (kind === 3) mutated = splice(mutated, from, to, new Uint8Array(0))
    else if (kind === 4)
      mutated = splice(mutated, ...valueNear(mutated, from), encoder.encode(NASTY[Math.floor(random() * NASTY.length)]))
    else for (let i = from; i < Math.min(to, from + 16); i++) mutated[i] = Math.floor(random() * 256)
  }
  return mutated
}

function splice(bytes: Uint8Array, from: number, to: number, inserted: Uint8Array): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(bytes.length - (to - from) + inserted.length)
  result.set(bytes.subarray(0, from))
  result.set(inserted, from)
  result.set(bytes.subarray(to), from + inserted.length)
  return result
}

/** From behind the next colon to the comma or bracket after it: about one value. */
function valueNear(bytes: Uint8Array, at: number): [from: number, to: number] {
  const colon = bytes.indexOf(0x3a, at)
  if (colon === -1) return [at, at]
  let end = colon + 1
  while (end < bytes.length && bytes[end] !== 0x2c && bytes[end] !== 0x7d && bytes[end] !== 0x5d) end++
  return [colon + 1, end]
}
