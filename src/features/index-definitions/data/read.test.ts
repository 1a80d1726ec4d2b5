import { expect, it } from 'vitest'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { readDefinition } from './read.ts'

const OLD = 'from t in docs.Things select new { X = 0 }'
const NEW = 'from t in docs.Things select new { X = 1 }'

/** A server whose replacement takes over after `swapAfter` requests have arrived. */
function swapping(swapAfter: number): Governor {
  let arrived = 0
  const mapOf = (name: string): string | null => {
    const isSwapped = arrived++ >= swapAfter
    if (name.startsWith('ReplacementOf/')) return isSwapped ? null : NEW
    return isSwapped ? NEW : OLD
  }
  return {
    bytes: (_: string, { name }: { readonly name: string }) => {
      const map = mapOf(name)
      return map === null
        ? Promise.reject(new RavenError({ kind: 'bad-request', endpoint: 'indexes', status: 404 }))
        : Promise.resolve(new TextEncoder().encode(JSON.stringify({ Results: [{ Maps: [map] }] })))
    },
    json: () => Promise.resolve({}),
  } as unknown as Governor
}

it.each([0, 1, 2])('never takes the previous definition for the last, with a swap after %i requests', async (swap) => {
  const read = await readDefinition(swapping(swap), 'd', 'Things', new AbortController().signal)
  if (read?.replacement === null) expect(read.maps).toEqual([NEW])
  else expect(read?.replacement?.maps).toEqual([NEW])
})
