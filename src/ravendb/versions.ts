import { asNumber, asObject, asString, orNull, ParseError } from '../base/json/check.ts'
import { listNames } from '../base/text/list-names.ts'

/** Version that a server reports at `/build/version`. `full` is exact (`7.1.5`), `product` is its line (`7.1`). */
export interface ServerVersion {
  readonly major: number
  readonly minor: number
  readonly productVersion: string
  readonly fullVersion: string
  readonly build: number | null
}

/** First version line that has a feature: major, minor. */
export type Since = readonly [major: number, minor: number]

/**
 * Reads `/build/version`. Errors: `ParseError` if it is not an object with a `FullVersion` such as `7.1.5` (custom
 * builds write `7.1.5-custom-71`, which counts as 7.1).
 */
export function parseVersion(response: unknown): ServerVersion {
  const body = asObject(response, '$')
  const fullVersion = asString(body['FullVersion'], '$.FullVersion')
  const match = /^(\d+)\.(\d+)/.exec(fullVersion)
  if (match === null) throw new ParseError('$.FullVersion', 'a version such as 7.1.5', JSON.stringify(fullVersion))
  return {
    major: Number(match[1]),
    minor: Number(match[2]),
    productVersion: orNull(asString, body['ProductVersion'], '$.ProductVersion') ?? `${match[1]}.${match[2]}`,
    fullVersion,
    build: orNull(asNumber, body['BuildVersion'], '$.BuildVersion'),
  }
}

/** Whether a version is of that line or later. */
export const offers = (version: ServerVersion, since: Since | null): boolean =>
  since === null || version.major > since[0] || (version.major === since[0] && version.minor >= since[1])

/** Version lines that Rookery is tested with, newest first. */
const TESTED_LINES = ['7.1', '6.2', '5.4']

/** Sentence for a version whose line Rookery is not tested with; null: tested. As the server reports it. */
export function untestedNote(fullVersion: string): string | null {
  const line = /^\d+\.\d+/.exec(fullVersion)?.[0] ?? fullVersion
  if (TESTED_LINES.includes(line)) return null
  return `Rookery is not tested with RavenDB ${line}, but with ${listNames(TESTED_LINES)}: figures that this version reports in another form are missing.`
}
