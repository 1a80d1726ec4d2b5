import type { Bytes } from '../../base/brand.ts'
import { asArray, asObject, asString, orNull } from '../../base/json/check.ts'
import { RavenError } from '../errors/errors.ts'
import type { Governor } from '../governor/governor.ts'
import type { LowMemoryLimit } from './low-memory-limit.ts'

const KEY = 'Memory.LowMemoryLimitInMb'
const MIB = 1024 ** 2

/** Reads the limit from `/admin/configuration/settings`; null: not in the response. Errors: `ParseError`. */
export function readLowMemoryLimit(response: unknown): LowMemoryLimit | null {
  for (const item of asArray(asObject(response, '$')['Settings'], '$.Settings')) {
    const setting = asObject(item, '$.Settings[]')
    const metadata = asObject(setting['Metadata'], '$.Settings[].Metadata')
    if (!asArray(metadata['Keys'], '$.Settings[].Metadata.Keys').includes(KEY)) continue
    const values = orNull(asObject, setting['ServerValues'], '$.Settings[].ServerValues')
    const set = orNull(asObject, values?.[KEY], '$.Settings[].ServerValues[]')
    const configured = orNull(asString, set?.['Value'], '$.Settings[].ServerValues[].Value')
    const mib = Number(configured ?? metadata['DefaultValue'] ?? Number.NaN)
    if (!(mib > 0)) return null
    return { bytes: (mib * MIB) as Bytes, from: configured === null ? 'default' : 'configured' }
  }
  return null
}

/**
 * Time for which a reading is used, ms: the limit takes effect only when the server starts, and reading it costs as
 * much as a small list of databases.
 */
const HOLDS_MS = 3_600_000

const known = new WeakMap<Governor, { readonly atMs: number; readonly limit: Promise<LowMemoryLimit | null> }>()

/** Reads the limit, at most once an hour; null: not readable, usually as the user is not ClusterAdmin. */
export function requestLowMemoryLimit(governor: Governor): Promise<LowMemoryLimit | null> {
  const atMs = governor.env.now()
  const before = known.get(governor)
  if (before !== undefined && atMs - before.atMs < HOLDS_MS) return before.limit
  const limit = governor
    .json('serverSettings', { scope: 'ServerWideOnly' })
    .then(readLowMemoryLimit)
    .catch((thrown: unknown) => {
      // Remember a refusal; after any other error the next call tries again.
      if (!(thrown instanceof RavenError && thrown.kind === 'refused')) known.delete(governor)
      return null
    })
  known.set(governor, { atMs, limit })
  return limit
}
